"""What a scripted model says as the members of the research team, over three documents on lighthouses."""

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from moot.models.scripted import Line, Wanted, says
from moot.text.marks import mark_of

LIGHTHOUSES = {
    "one.md": "The first lighthouse is 40 m high and was built in 1820.",
    "two.md": "The second lighthouse is 50 m high and was built in 1830.",
    "three.md": "The third lighthouse is 60 m high and was built in 1840.",
}
HOW_HIGH = "How high are the lighthouses?"


def mark(file: str) -> str:
    """The mark of one of the documents."""
    return mark_of(f"docs://docs/{file}")


def hand_off(topic: str = "lighthouses", locale: str = "en-US") -> Line:
    return says({"how": "hand_off", "research_topic": topic, "locale": locale}, "coordinator")


def plans(*steps: Mapping[str, JsonValue], enough: bool = False, title: str = "Lighthouses") -> Line:
    return says({"title": title, "has_enough_context": enough, "steps": [dict(step) for step in steps]}, "planner")


def research(title: str, **more: JsonValue) -> dict[str, JsonValue]:
    return {"title": title, "description": f"Find {title}", "need_search": True, "step_type": "research", **more}


def processing(title: str, **more: JsonValue) -> dict[str, JsonValue]:
    return {"title": title, "description": title, "need_search": False, "step_type": "processing", **more}


def found(step: str, file: str, *, delay_s: float = 0.0) -> list[Line]:
    """A researcher's three turns on a step: it searches, reads a file, and quotes its only sentence."""
    text = LIGHTHOUSES[file]
    finding: dict[str, JsonValue] = {"restated": step, "claims": [{"text": text, "marks": [f"{mark(file)}.1"]}]}
    turns: Sequence[dict[str, object]] = (
        {"calls": (Wanted(name="search", args={"query": text}),)},
        {"calls": (Wanted(name="read_page", args={"address": f"docs://docs/{file}"}),)},
        {"value": finding},
    )
    return [
        Line.model_validate(
            {"role": "researcher", "holds": f"Your step {step}:", "turn": number, "delay_s": delay_s, **turn}
        )
        for number, turn in enumerate(turns, 1)
    ]


def nothing(step: str) -> list[Line]:
    """A researcher that searches and says that there is nothing."""
    return [
        Line(
            role="researcher", holds=f"Your step {step}:", turn=1,
            calls=(Wanted(name="search", args={"query": "first"}),),
        ),
        Line(
            role="researcher", holds=f"Your step {step}:", turn=2,
            calls=(Wanted(name="read_page", args={"address": "docs://docs/one.md"}),),
        ),
        Line(role="researcher", holds=f"Your step {step}:", turn=3, value={"restated": step, "missing": ["all of it"]}),
    ]  # fmt: skip


def report(*files: str) -> Line:
    """A reporter that quotes these files."""
    quotes = "\n\n".join(f"> “{LIGHTHOUSES[file]}” [{mark(file)}.1]" for file in files)
    return Line(role="reporter", text=f"# Lighthouses\n\n## Findings\n\n{quotes}\n")


def three_steps(*, delay_s: float = 0.0, again: Sequence[Line] = ()) -> list[Line]:
    """The run of the spec's Acceptance 6: one plan, three research steps of three calls each, a report."""
    steps = [research(f"Lighthouse {number}") for number in (1, 2, 3)]
    worked = [line for n, file in enumerate(LIGHTHOUSES, 1) for line in found(f"1.{n}", file, delay_s=delay_s)]
    return [hand_off(), plans(*steps), *worked, *again, report(*LIGHTHOUSES)]
