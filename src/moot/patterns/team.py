"""What a team's file hands to the house: how it is drawn, begun and read at its end, and what may be set."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import Field
from pydantic.fields import FieldInfo

from moot.patterns.members import Member
from moot.run.graph import Graph
from moot.values.plans import Plan
from moot.values.runs import Ending, Judging, Status, Style
from moot.values.value import Value

State = Mapping[str, Any]  # a TypedDict of the team's own; LangGraph types it no closer


class Given(Value):
    """What every team is started with, checked and resolved by app/ before anything is spent."""

    question: str
    locale: str = ""
    """Set by --locale; `` when the team is to find out."""
    style: Style = "academic"
    auto_accept: bool = False
    nobody_there: bool = False
    links: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    """Addresses of the given collections: `docs://python`."""
    web: bool = False
    repair: int = 1
    """Rounds in which a report's writer mends what did not pass."""
    judge: Judging = "other_language"
    """Which claims a model judges, where one is set."""
    history: str = ""
    """An earlier run's question and report (--after): data only."""


class Outcome(Value):
    """How a team's run ended, as its last state tells."""

    status: Status
    reason: str
    ending: Ending
    report: str = ""
    """SHA-256 of the report's bytes (a blob of the run); `` when there is none."""
    text: str = ""
    """What stdout gets when there is no report: a reply, or why not."""
    plan: Plan | None = None
    saved_as: str = ""
    """A title under which the report is kept among the reports of the data folder too; `` when it is not."""


@dataclass(frozen=True, slots=True)
class Team:
    """A team, found by its file's name."""

    name: str
    summary: tuple[str, str]
    """One line, in English and in Chinese."""
    options: type[Value]
    """Its own options: a field is a flag (see `option`)."""
    draw: Callable[..., Graph[Any]]
    """Given the names of the run's members, where the team has some."""
    begin: Callable[[Given, Any], State]
    """(given, options) → the first state."""
    outcome: Callable[[Any], Outcome]  # its last state
    needs_source: bool = True
    """True: without documents, web or MCP it is `no_source`, but for pure arithmetic."""
    reviews: bool = True
    """True: a plan is shown unless it is accepted by itself."""
    style: Style = "academic"
    """Of its reports, unless another is asked for."""
    investment_usd: float | None = None
    """Dollars that a run may spend where nobody said otherwise; None: no limit of the team's own."""
    members: Callable[[Any], tuple[Member, ...]] | None = None
    """(options) → who takes part, each a node or two of the drawing; None: every run of it is drawn alike."""
    settle: Callable[[Any, Mapping[str, str]], Value] | None = None
    """(options, why each tool cannot work here) → options that every walk of the run can go by. Raises SettingWrong."""

    def graph(self, options: Any) -> Graph[Any]:  # of its own state
        """The drawing of a run, made once for all that are drawn alike: so it is made ready to be walked once too."""
        members = self.members(options) if self.members else ()
        return _drawn(self.draw, *(member.name for member in members))


@lru_cache(maxsize=64)
def _drawn(draw: Callable[..., Graph[Any]], *members: str) -> Graph[Any]:
    return draw(*members)


def option(
    default: Any, flag: str, english: str, *, chinese: str, least: float | None = None, most: float | None = None
) -> Any:
    """A field of a team's options: its flag on the command line, its help in both languages, its range.

    A table has no flag: it is a table of settings.toml under the team's name.
    """
    made: FieldInfo = Field(
        default, ge=least, le=most, json_schema_extra={"flag": flag, "help": {"en": english, "zh": chinese}}
    )
    return made
