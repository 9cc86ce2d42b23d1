"""How long the claims check takes: a labelled claim, and a report of 2,000 sentences. On one core, in processor time.

python -m bench.claims
"""

import asyncio
import json
import time
from pathlib import Path

from moot.evals.claims import read_examples, tried
from moot.evidence.check import check
from moot.evidence.ledger import Ledger
from moot.evidence.texts import About
from moot.text.marks import mark_of
from moot.text.passages import cut
from moot.values.evidence import Passage, Shown

_EXAMPLES = Path(__file__).parent.parent / "tests" / "evidence" / "claims_labelled.jsonl"
_SENTENCES = (500, 1_000, 2_000)
_ADDRESS = "docs://bench/text.md"


class OneText:
    """One text, as a check reads it."""

    def __init__(self, text: str) -> None:
        self._text, self._passages = text, tuple(cut(text))

    async def text(self, text_hash: str) -> str:
        return self._text

    async def passages(self, text_hash: str) -> tuple[Passage, ...]:
        return self._passages

    async def about(self, text_hash: str) -> About:
        return About((), "")

    async def is_intact(self, text_hash: str) -> bool:
        return True

    async def bytes_of(self, sha256: str) -> bytes | None:
        return None


async def labelled() -> tuple[float, float]:
    """Milliseconds a labelled claim: the mean, once everything is loaded, and the slowest."""
    examples = read_examples(_EXAMPLES.read_text(encoding="utf-8").splitlines())
    await tried(examples[0])
    found = [(await tried(example)).ms for example in examples]
    return sum(found) / len(found), max(found)


async def report(sentences: int) -> float:
    """Seconds for a report of so many sentences on as many passages."""
    source = [f"In 2021 plant {n} of the valley produced {n + 300} tonnes of steel." for n in range(sentences)]
    mark = mark_of(_ADDRESS)
    draft = [
        f"Plant {n} of the valley made {n + 300} tonnes of steel in 2021 [{mark}.{n + 1}]." for n in range(sentences)
    ]
    ledger = Ledger([Shown(mark=mark, address=_ADDRESS, text_hash="bench", passages=sentences)])
    began = time.process_time()
    checked = await check("\n\n".join(draft), ledger, OneText("\n\n".join(source)))
    assert len(checked.checked) == sentences
    return time.process_time() - began


async def measured() -> dict[str, float]:
    """Every figure."""
    mean, slowest = await labelled()
    reports = {f"report_{n}_s": round(await report(n), 2) for n in _SENTENCES}
    return {"claim_ms": round(mean, 2), "slowest_claim_ms": round(slowest, 2), **reports}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(measured())))
