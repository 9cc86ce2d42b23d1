"""What a scripted model says as the roles of the supervised team, over the three documents on lighthouses."""

from collections.abc import Sequence

from pydantic import JsonValue

from moot.models.scripted import Line, Wanted, says
from moot.toolkit.result import ToolResult
from moot.toolkit.tool import Tool, tool
from moot.toolkit.workbench import Workbench
from moot.values.events import EventBody, NodeStarted
from tests.teams.lines import LIGHTHOUSES, mark

WHOLE = {"r": "researcher", "c": "coder", "b": "browser", "R": "reporter", "l": "librarian"}


def planned(letters: str, **more: JsonValue) -> Line:
    """A plan whose steps are named by their members' letters."""
    steps: list[JsonValue] = [
        {"agent_name": WHOLE[letter], "title": f"Step {n}", "description": f"Do {n}"}
        for n, letter in enumerate(letters.split(), 1)
    ]
    return says({"thought": "t", "title": "Lighthouses", "steps": steps, **more}, "planner")


def to(*names: str, always: bool = False, note: str = "") -> list[Line]:
    """A supervisor's choices in order; `always`: the last of them for ever."""
    lines = [Line(role="supervisor", value={"next": name, "note": note}) for name in names]
    return [*lines[:-1], lines[-1].model_copy(update={"times": None})] if always else lines


def said(text: str, *, times: int | None = 1) -> Line:
    """Something of a supervisor that may be no choice."""
    return Line(role="supervisor", text=text, times=times)


def looked_up(file: str, *, role: str = "researcher", holds: str = "", times: int | None = 1) -> list[Line]:
    """A researcher's three turns: it searches, reads a file, and quotes its only sentence."""
    text = LIGHTHOUSES[file]
    turns: Sequence[dict[str, object]] = (
        {"calls": (Wanted(name="search", args={"query": text}),)},
        {"calls": (Wanted(name="read_page", args={"address": f"docs://docs/{file}"}),)},
        {"value": {"restated": "r", "claims": [{"text": text, "marks": [f"{mark(file)}.1"]}]}},
    )
    return [
        Line.model_validate({"role": role, "holds": holds, "turn": number, "times": times, **turn})
        for number, turn in enumerate(turns, 1)
    ]


def nothing_there(*, times: int | None = 1) -> list[Line]:
    """A researcher that reads a page and says that it answers nothing."""
    calls = (
        Wanted(name="search", args={"query": "first lighthouse"}),
        Wanted(name="read_page", args={"address": "docs://docs/one.md"}),
    )
    return [
        *(Line(role="researcher", turn=turn, times=times, calls=(call,)) for turn, call in enumerate(calls, 1)),
        Line(role="researcher", turn=3, times=times, value={"missing": ["all of it"]}),
    ]


def computed(number: int = 40, *, holds: str = "", times: int | None = 1) -> list[Line]:
    """A coder that runs a cell and words its outcome."""
    figure: JsonValue = {"name": "height", "value": str(number), "unit": "m", "basis": ""}
    return [
        Line(role="coder", turn=1, holds=holds, times=times,
             calls=(Wanted(name="python", args={"code": f"print({number})"}),)),
        Line(role="coder", turn=2, holds=holds, times=times, value={"text": f"It is {number} m.", "values": [figure]}),
    ]  # fmt: skip


def report(*files: str) -> Line:
    """A reporter that quotes these files, each in its own section's words."""
    quotes = "\n\n".join(f"> “{LIGHTHOUSES[file]}” [{mark(file)}.1]" for file in files)
    return Line(role="reporter", text=f"# Lighthouses\n\n## Executive summary\n\n{quotes}\n")


def nodes(told: Sequence[EventBody]) -> list[str]:
    """The nodes of a run, in the order in which they began."""
    return [body.node for body in told if isinstance(body, NodeStarted)]


@tool(effect="read", alone=True)
async def browser_open(bench: Workbench, address: str) -> ToolResult:
    """Opens a page."""
    return ToolResult(text="Page: Trending")


def browsing() -> dict[str, Tool]:
    """A browser of which one page can be opened."""
    return {"browser_open": browser_open}
