"""What a scripted model says as the roles of a brief, over sixteen documents on lighthouses of four coasts."""

from collections.abc import Sequence

from pydantic import JsonValue

from moot.models.scripted import Line, says
from moot.text.marks import mark_of

COASTS = ("northern", "southern", "eastern", "western")
TOPIC = "lighthouses of four coasts"
QUESTIONS = tuple(f"How high are the {coast} lighthouses?" for coast in COASTS)


def sentence(coast: str, n: int) -> str:
    """What a document says."""
    built = 1_800 + 10 * COASTS.index(coast) + n
    return f"Lighthouse {n} of the {coast} coast is {30 + 4 * COASTS.index(coast) + n} m high and was built in {built}."


DOCUMENTS = {
    f"{coast}{n}.md": f"# The {coast} lighthouse {n}\n\n{sentence(coast, n)}\n" for coast in COASTS for n in range(1, 5)
}


def address(coast: str, n: int) -> str:
    return f"docs://docs/{coast}{n}.md"


def mark(coast: str, n: int) -> str:
    return f"{mark_of(address(coast, n))}.1"


def keywords(*words: str) -> Line:
    return says({"keywords": list(words or ("lighthouses",))}, "keyworder")


def questions(*asked: str) -> Line:
    return says({"questions": list(asked or QUESTIONS)}, "decomposer")


def ranks(coast: str, order: Sequence[int] = (0, 1, 2, 3), *, delay_s: float = 0.0) -> Line:
    value: dict[str, JsonValue] = {"order": list(order), "why": "as they stand"}
    return Line(role="ranker", holds=f"the {coast} lighthouses", value=value, delay_s=delay_s)


def digests(coast: str, n: int, *, delay_s: float = 0.0) -> Line:
    """The digester on one page: its only sentence."""
    point: JsonValue = {"text": sentence(coast, n), "marks": [mark(coast, n)]}
    return Line(role="digester", holds=sentence(coast, n), value={"relevant": True, "points": [point]}, delay_s=delay_s)


def writes(*pages: tuple[str, int]) -> Line:
    """A writer that says what these pages say."""
    said = "\n\n".join(f"{sentence(coast, n)[:-1]} [{mark(coast, n)}]." for coast, n in pages)
    return Line(role="writer", text=f"# Lighthouses\n\n## Heights\n\n{said}\n")


ALL = tuple((coast, n) for coast in COASTS for n in range(1, 5))


def four_by_four(*, slow_first: bool = False) -> list[Line]:
    """The 23 calls of a brief of four questions with four pages each."""
    wait = [0.02 * (16 - at) if slow_first else 0.0 for at in range(16)]
    return [
        keywords("lighthouses", "coasts"), questions(), *(ranks(coast) for coast in COASTS),
        *(digests(coast, n, delay_s=delay) for (coast, n), delay in zip(ALL, wait, strict=True)), writes(*ALL),
    ]  # fmt: skip
