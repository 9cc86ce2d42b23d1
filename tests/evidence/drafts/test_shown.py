"""Signs that a viewer would take for markup are shown as signs; code and math stay, and evidence is as it was read."""

import re
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from moot.evidence.audit.copies import Copy
from moot.evidence.audit.own import audit
from moot.evidence.check import check
from moot.evidence.drafts.shown import as_signs
from moot.evidence.finish import finish
from moot.evidence.ledger import Ledger
from moot.evidence.store import Store
from moot.values.evidence import Shown
from moot.values.report import Surroundings
from moot.values.value import RunId

Keep = Callable[..., Awaitable[Shown]]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("a <b>bold</b> x", "a \\<b>bold\\</b> x"),
        ("\\<b> and \\\\<b>", "\\<b> and \\\\\\<b>"),
        ("<!-- c --> <?p?> <https://e.org>", "\\<!-- c --> \\<?p?> \\<https://e.org>"),
        ("1 < 2 and a <- b", "1 < 2 and a <- b"),
        ("`<b>` and\n```\n<b>\n```\n", "`<b>` and\n```\n<b>\n```\n"),
        ("$a<b$ and $<img src=x>$", "$a<b$ and $< img src=x>$"),
        ("calls __enter__() and __very bold__", "calls \\_\\_enter\\_\\_() and __very bold__"),
    ],
)
def test_markup_becomes_signs(written: str, shown: str) -> None:
    assert as_signs(written) == shown
    assert as_signs(shown) == shown


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("<>/!?-ab=x \"'`$\\\n[]()_*~&;"), max_size=60))
def test_no_html_of_any_text_comes_alive(text: str) -> None:
    made = MarkdownIt("commonmark", {"html": True}).render(as_signs(text))
    plain = MarkdownIt("commonmark", {"html": False}).render(as_signs(text))
    assert made == plain


async def test_a_quoted_tag_is_shown_as_text_and_its_quote_is_the_slice_and_the_audit_passes(
    keep: Keep, store: Store
) -> None:
    text = "The <b>lamp</b> calls __init__() <script>alert(1)</script> at 12 m."
    source = await keep("docs://d/lamp.md", text, title="Lamp")
    ledger = Ledger([source])
    draft = f"# T\n\n> “{text}” [{source.mark}.1]\n"
    report = await finish(
        await check(draft, ledger, store), ledger, store, surroundings=Surroundings(run=RunId("k3f9q2m8xz"))
    )
    assert [quote.words for quote in report.quotes] == [text]
    assert not re.search(r"(?<!\\)<script", report.markdown)
    shown = MarkdownIt("commonmark", {"html": True}).render(report.markdown[: report.body_end])
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown
    assert "__init__()" in shown
    result = await audit(Copy(report.markdown), store)
    assert result.problems == ()
