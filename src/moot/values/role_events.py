"""What a brief and a team of roles tell, beside what every run tells (events.py)."""

from typing import ClassVar, Literal

from moot.values.event_body import EventBody
from moot.values.plans import By


class Ranked(EventBody):
    type: ClassVar[str] = "ranked"
    question: str
    urls: tuple[str, ...]
    """The addresses that were chosen to be read, the best first."""
    how: Literal["ranked", "original order"]
    by: By


class Digested(EventBody):
    type: ClassVar[str] = "digested"
    address: str
    question: str
    relevant: bool
    dropped: int = 0
    """Points that were left out because they named no passage of the page."""
    by: By


class RoundStarted(EventBody):
    type: ClassVar[str] = "round_started"
    n: int
    roles: tuple[str, ...]


class Chose(EventBody):
    type: ClassVar[str] = "chose"
    role: str
    action: str
    """`` when the role's work is done."""
    by: Literal["order", "model", "understudy"]


class Published(EventBody):
    type: ClassVar[str] = "published"
    id: str
    kind: str
    by: str
    to: tuple[str, ...]


class MessageUnread(EventBody):
    type: ClassVar[str] = "message_unread"
    id: str


class RoleEnded(EventBody):
    type: ClassVar[str] = "role_ended"
    role: str
    action: str
    """The last one that brought something; `` when none did."""
    end: str


class Saved(EventBody):
    type: ClassVar[str] = "saved"
    path: str
