"""Reports as a run brings them, checked and finished, in both languages; and a hostile one."""

from collections.abc import Awaitable, Callable

import pytest

from moot.evidence.check import check
from moot.evidence.finish import finish
from moot.evidence.ledger import Ledger
from moot.evidence.store import Store
from moot.text.marks import mark_of
from moot.values.evidence import CoverageRow, Shown
from moot.values.report import Report, Surroundings
from moot.values.value import RunId

Keep = Callable[..., Awaitable[Shown]]
MakeReport = Callable[..., Awaitable[Report]]
BURJ, EIFFEL, DAM = "docs://d/burj.md", "//www.example.org/eiffel_tower", "docs://d/水库.md"
HOSTILE_TITLE = 'Bad </title><script>alert(1)</script> #import "x" & \\evil{} "quoted"'
HOSTILE_WORDS = (
    'The lamp is 12 m tall <script>alert(1)</script> <img src=x onerror="alert(2)"> </style><style>*{display:none} '
    '#read("/etc/passwd") #import "@preview/x:1.0.0" \\input{x} $1+1$ &amp; it burns.'
)
ENGLISH = f"""# Two *towers*

## Short answer

> “The Burj Khalifa is 828 m tall.” [{mark_of(BURJ)}.1]

## Findings

The Eiffel Tower is 330 m tall [{mark_of(EIFFEL)}.1][{mark_of(BURJ)}.1]. It has 164 floors [{mark_of(BURJ)}.2].
Paris is a big city of 2 million people.

1. **Bold** and `code [1]`, and math $a_1 * b_2 * c$.
   - nested item

| tower | height |
|:--|--:|
| Burj Khalifa | 828 m [{mark_of(BURJ)}.1] |

```python
print("[9] <b>")
```

---

שלום עולם is Hebrew.
"""
CHINESE = f"""# 水库与铁塔

## 要点

> “水库蓄水量为四亿立方米。” [{mark_of(DAM)}.1]

## 发现

埃菲尔铁塔高 330 米 [{mark_of(EIFFEL)}.1]。水库蓄水量为五亿立方米 [{mark_of(DAM)}.1]。

| 名称 | 数值 |
|---|---|
| 水库 | 四亿立方米 |
"""


@pytest.fixture
async def make(keep: Keep, store: Store) -> MakeReport:
    """`await make(draft)`: its report on three sources."""

    async def made(draft: str, *, locale: str = "en-US", title: str = "", extra: tuple[Shown, ...] = ()) -> Report:
        ledger = Ledger(
            [
                await keep(BURJ, "The Burj Khalifa is 828 m tall.\n\nIt has 163 floors.", title="Burj & <b>more</b>"),
                await keep(EIFFEL, "The Eiffel Tower is 330 m tall.", title="Eiffel_Tower 100% #1", kind="web"),
                await keep(DAM, "水库蓄水量为四亿立方米。", title="水库年报"),
                await keep("docs://d/unused.md", "Nobody cites me.", title="Unused"),
                *extra,
            ]
        )
        row = CoverageRow(step="1.1", question="How tall | <i>really</i>?", claims=3, status="thin", reason="one_work")
        gaps = ("No <b>width</b> was found.",)
        around = Surroundings(run=RunId("k3f9q2m8xz"), locale=locale, gaps=gaps, coverage=(row,))
        return await finish(await check(draft, ledger, store), ledger, store, title=title, surroundings=around)

    return made


@pytest.fixture
async def english(make: MakeReport) -> Report:
    return await make(ENGLISH)


@pytest.fixture
async def chinese(make: MakeReport) -> Report:
    return await make(CHINESE, locale="zh-CN")


@pytest.fixture(params=["en-US", "zh-CN"])
async def report(request: pytest.FixtureRequest, make: MakeReport) -> Report:
    """The one in English, then the one in Chinese."""
    return await make(CHINESE if request.param == "zh-CN" else ENGLISH, locale=request.param)


@pytest.fixture
async def hostile(make: MakeReport, keep: Keep) -> Report:
    """Everything that is markup or code to some form, in the title, in a quote and in the text."""
    lamp = await keep("//evil.example/<script>?a=\"b\"&c='d'", HOSTILE_WORDS, title=HOSTILE_TITLE, kind="web")
    draft = (
        f"# {HOSTILE_TITLE}\n\n> “{HOSTILE_WORDS}” [{lamp.mark}.1]\n\n"
        "<script>alert(3)</script>\n\n<img src=x onerror=alert(4)>\n\n[click](javascript:alert(5)) "
        "<javascript:alert(6)> $<svg onload=alert(7)>$ 👩‍👩‍👧 e\u0301\u0323 שלום \u202e مرحبا\n\n"
        "```\n</code></pre><script>alert(8)</script>\n```\n\n![x](http://tracker.example/x.png)\n"
    )
    return await make(draft, extra=(lamp,))
