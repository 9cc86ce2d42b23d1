"""What a turn of a supervised team's member came to, as it stands in a run's state."""

from moot.values.plans import By, Claim, Figure, StepResult, StepStatus
from moot.values.value import Value


class MemberTurn(Value):
    """One turn of one member. Its text is Markdown, kept byte for byte."""

    n: int
    member: str
    step: int | None
    """Which working step of the plan, from 1; None: an extra turn."""
    note: str = ""
    """What the supervisor asked for."""
    result: StepResult
    text: str = ""
    text_sha256: str = ""
    """Of a long text's bytes, a blob of the run; `text` is `` then."""
    files: tuple[str, ...] = ()
    is_new: bool = False
    """True when it brought a mark, a file or a value that no turn before it had."""

    @property
    def status(self) -> StepStatus:
        return self.result.status

    @property
    def by(self) -> By:
        return self.result.by

    @property
    def claims(self) -> tuple[Claim, ...]:
        return self.result.finding.claims if self.result.finding else ()

    @property
    def values(self) -> tuple[Figure, ...]:
        return self.result.computation.values if self.result.computation and self.status == "done" else ()
