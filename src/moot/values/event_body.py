"""What every event is made of. The events themselves: events.py, and role_events.py for briefs and roles."""

from typing import ClassVar

from moot.values.value import Value


class EventBody(Value):
    """What happened; `type` is its name on every wire."""

    type: ClassVar[str]
