"""What becomes of marks, addresses and references in a draft: evidence's table, row by row."""

import pytest

from moot.evidence.drafts.cleaned import UNKNOWN, cleaned
from moot.evidence.ledger import Ledger
from moot.text.marks import mark_of
from moot.values.evidence import Shown

PAGE, WITH, DOI = "//example.org/report/b?id=7", "docs://python/with", "//doi.org/10.1000/abc"
LEDGER = Ledger(Shown(mark=mark_of(a), address=a, text_hash=a, passages=20) for a in (PAGE, WITH, DOI))
P, W, D = (source.mark for source in LEDGER.sources)
NONE = f"[{UNKNOWN}.0]"


@pytest.mark.parametrize(
    "draft, becomes, removed",
    [
        # marks in any form
        (f"It fell [{P}.12].", f"It fell [{P}.12].", {}),
        (f"It fell 【{P.upper()}．１２】。", f"It fell [{P}.12]。", {}),
        (f"It fell [{P}.12-14; {W}.1].", f"It fell [{P}.12][{P}.13][{P}.14][{W}.1].", {}),
        (rf"It fell \[{P}.2\] and \[3\].", f"It fell [{P}.2] and.", {"loose_reference": 1}),
        (f"It fell ({P}.2).", f"It fell [{P}.2].", {}),
        (f"It fell ([{P}.2])（[{P}.3]）.", f"It fell [{P}.2][{P}.3].", {}),
        ("It fell (docs://python/with).", f"It fell [{W}.0].", {}),
        (f"It fell {P}.2 and.", f"It fell [{P}.2] and.", {}),
        # to be snapped
        (f"It fell [{P}].", f"It fell [{P}.0].", {}),
        (f"It fell [{P}.999].", f"It fell [{P}.0].", {}),
        # of no source
        ("It fell [S7777.1].", f"It fell {NONE}.", {"mark_unknown": 1}),
        (f"It fell [S7777.1, {P}.3].", f"It fell [{P}.3].", {"mark_unknown": 1}),
        (f"It fell [{P}~3.1].", f"It fell {NONE}.", {"mark_unknown": 1}),
        ("It fell [S12].", f"It fell {NONE}.", {"mark_unknown": 1}),
        ("It fell [S7777.1 and more].", f"It fell {NONE}.", {"mark_unknown": 1}),
        # addresses
        ("See [the page](https://example.org/report/b?utm_source=z&id=7#s).", f"See the page [{P}.0].", {}),
        ("See https://EXAMPLE.org/report/./b?id=7.", f"See [{P}.0].", {}),
        ("See docs://python/with#line=4.", f"See [{W}.0].", {}),
        ("See doi:10.1000/ABC.", f"See [{D}.0].", {}),
        ("See [it](https://evil.test/x).", "See it.", {"address_unknown": 1}),
        ("See ![chart](https://evil.test/x.png).", "See chart.", {"address_unknown": 1}),
        ("See <https://evil.test/x>.", "See.", {"address_unknown": 1}),
        ("It fell (https://evil.test/x).", "It fell.", {"address_unknown": 1}),
        ("见https://evil.test/z。", "见。", {"address_unknown": 1}),
        ("见https://example.org/report/b?id=7的报告。", f"见[{P}.0]的报告。", {}),
        ("Visit www.foo.com/a or foo.org/b, or example.com.", "Visit or, or.", {"address_unknown": 3}),
        ("See 10.9999/never.read.", "See.", {"address_unknown": 1}),
        ("See [docs](docs://python/without).", "See docs.", {"address_unknown": 1}),
        (f"It fell [{P}.3](https://evil.test).", f"It fell [{P}.3].", {}),
        ("See [above](#findings).", "See above.", {}),
        ("Booking.com, setup.py and Node.js/Express stay.", "Booking.com, setup.py and Node.js/Express stay.", {}),
        # loose references
        ("It fell [9].", "It fell.", {"loose_reference": 1}),
        ("It fell [0] and [1, 2] and [^3].", "It fell and and.", {"loose_reference": 4}),
        ("It fell 【3†source】。", "It fell。", {"loose_reference": 1}),
        ("It fell<sup>[3]</sup>.", "It fell.", {"loose_reference": 1}),
        ("It fell (Smith 2020) in (March 2020).", "It fell in (March 2020).", {"loose_reference": 1}),
        ("It fell (Smith et al., 2020; Lee & Park 2019a).", "It fell.", {"loose_reference": 1}),
        ("It fell [citation needed] [Insert reference].", "It fell.", {"loose_reference": 2}),
        ("It fell (Source: World Bank).", "It fell.", {"loose_reference": 1}),
        ("It fell.\nSource: World Bank", "It fell.", {"loose_reference": 1}),
        (f"It fell.\nSource: [{P}.1]", f"It fell.\n[{P}.1]", {}),
        ("下降了（来源：世界银行）。", "下降了。", {"loose_reference": 1}),
        # nothing that only looks so
        ("See [See 3] and [Section] and a[i].", "See [See 3] and [Section] and a[i].", {}),
        ("`[3]` and $x[3]$ and\n\n```\n[3] https://evil.test\n```", None, {}),
        ("Audit: 41 of 41 factual sentences verified (100 %)\n\nText.", "Text.", {}),
        ("Text.<!-- moot run=x evidence=sha256:00 -->", "Text.", {}),
    ],
)  # fmt: skip
def test_a_draft_is_brought_in_order(draft: str, becomes: str | None, removed: dict[str, int]) -> None:
    tidy = cleaned(draft, LEDGER)
    assert tidy.markdown == (draft if becomes is None else becomes) + "\n"
    assert {name: n for name, n in tidy.removed.items() if n} == removed


def test_a_number_of_the_drafts_own_list_becomes_the_mark_of_the_source_at_that_address() -> None:
    draft = "It fell [3]. It rose [4].\n\n## References\n[3] A page. https://example.org/report/b?id=7\n[4] https://evil.test\n"
    tidy = cleaned(draft, LEDGER)
    assert tidy.markdown == f"It fell [{P}.0]. It rose.\n"
    assert dict(tidy.removed) == {"reference_section": 1, "loose_reference": 1}


def test_a_footnote_that_names_a_source_becomes_its_mark() -> None:
    assert cleaned("It fell [^1].\n\n[^1]: docs://python/with\n", LEDGER).markdown == f"It fell [{W}.0].\n"


@pytest.mark.parametrize(
    "heading", ["## References", "### Sources:", "**References**", "参考文献", "## 5. Bibliography", "Sources:"]
)
def test_a_reference_section_is_removed_whole_and_the_next_section_stays(heading: str) -> None:
    lines = "\n".join("- Some title. https://evil.test/page" for _ in range(500))
    tidy = cleaned(f"# T\n\nText.\n\n{heading}\n\n{lines}\n\n## Outlook\n\nMore.", LEDGER)
    assert tidy.markdown == "# T\n\nText.\n\n## Outlook\n\nMore.\n"
    assert dict(tidy.removed) == {"reference_section": 1}


def test_a_section_about_sources_is_no_reference_section() -> None:
    text = "# T\n\n## Sources of funding\n\nText.\n"
    assert cleaned(text, LEDGER).markdown == text


def test_braces_math_and_json_stay_as_they_are() -> None:
    text = '# T\n\n$\\frac{a}{b}$ and {x} and %s and [x].\n\n```json\n{"a": [1, 2]}\n```\n'
    assert cleaned(text, LEDGER).markdown == text
