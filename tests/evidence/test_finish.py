"""What a reader sees: notes on what failed, numbers by work, the closing sections, the comment."""

import hashlib
import re
from collections.abc import Awaitable, Callable

import pytest

from moot.evidence.check import check
from moot.evidence.finish import COMMENT, finish
from moot.evidence.ledger import Ledger
from moot.evidence.store import Store
from moot.values.evidence import Citation, CoverageRow, Shown, Unread, Work
from moot.values.report import Report, Surroundings
from moot.values.value import RunId

Keep = Callable[..., Awaitable[Shown]]
Finished = Callable[..., Awaitable[Report]]
RUN = RunId("k3f9q2m8xz")


@pytest.fixture
async def ledger(keep: Keep) -> Ledger:
    return Ledger(
        [
            await keep("docs://d/burj.md", "The Burj Khalifa is 828 m tall.\n\nIt has 163 floors.", title="Burj"),
            await keep("//example.org/eiffel", "The Eiffel Tower is 330 m tall.", title="The *tower* <b>[x]__"),
            await keep("docs://d/unused.md", "Nobody cites me.", title="Unused"),
            await keep("calc:process#1/1", "828 / 330 = 2.509\n", code='print("```")', kind="computation"),
        ]
    )


@pytest.fixture
def finished(ledger: Ledger, store: Store) -> Finished:
    burj, eiffel, _, calc = (source.mark for source in ledger.sources)

    async def made(draft: str, *, locale: str = "en-US", around: Surroundings | None = None) -> Report:
        for name, mark in (("B", burj), ("E", eiffel), ("C", calc)):
            draft = re.sub(rf"(?<=[\[【]){name}(?=\.\d|\])", mark, draft)
        checked = await check(draft, ledger, store)
        surroundings = (around or Surroundings(run=RUN)).model_copy(update={"locale": locale})
        return await finish(checked, ledger, store, title="Given title", surroundings=surroundings)

    return made


async def test_marks_become_numbers_by_work_in_order_of_first_use(finished: Finished) -> None:
    draft = "# T\n\n> “The Eiffel Tower is 330 m tall.” [E.1]\n\n> “It has 163 floors.” [B.2]\n\n"
    report = await finished(draft + "> “The Burj Khalifa is 828 m tall.” [B.1][B.2][E.1]\n")
    assert "> “The Eiffel Tower is 330 m tall.” [1]\n" in report.markdown
    assert "> “It has 163 floors.” [2]\n" in report.markdown
    assert "> “The Burj Khalifa is 828 m tall.” [2][1]\n" in report.markdown
    assert [(one.number, one.source.address) for one in report.sources] == [
        (2, "docs://d/burj.md"), (1, "//example.org/eiffel"), (0, "docs://d/unused.md"), (0, "calc:process#1/1"),
    ]  # fmt: skip
    assert not re.search(r"\[S[0-9a-f]{4}", report.markdown)


async def test_addresses_of_one_work_have_one_number_and_one_line(finished: Finished, ledger: Ledger) -> None:
    burj, eiffel, *_ = ledger.sources
    work = Work(
        id="doi:10.1/a", addresses=(burj.address, eiffel.address), title="On towers", authors=("A. Lee", "B. Wu"),
        published="2020-01-02", publisher="Journal of Towers", source_class="research",
    )  # fmt: skip
    draft = "# T\n\n> “It has 163 floors.” [B.2]\n\n> “The Eiffel Tower is 330 m tall.” [E.1]\n"
    report = await finished(draft, around=Surroundings(run=RUN, works=(work,)))
    assert "> “It has 163 floors.” [1]\n\n> “The Eiffel Tower is 330 m tall.” [1]\n" in report.markdown
    assert "2 citations of 1 work" in report.audit_line
    assert report.audit.works == 1
    assert [(one.number, one.addresses[0]) for one in report.works] == [
        (1, burj.address), (0, "docs://d/unused.md"), (0, "calc:process#1/1"),
    ]  # fmt: skip
    read = "read 2026-11-30 12:00 UTC · snapshot"
    assert (
        "- [1] On towers · A. Lee, B. Wu · Journal of Towers · 2020-01-02 · research"
        f" · docs://d/burj.md · {read} {burj.snapshot[:12]} · mark {burj.mark}"
        f" · https://example.org/eiffel · {read} {eiffel.snapshot[:12]} · mark {eiffel.mark}\n" in report.markdown
    )
    assert "Also read, not cited (2)" in report.markdown


async def test_what_is_not_cited_stands_by_class(finished: Finished, ledger: Ledger) -> None:
    burj, eiffel, *_ = ledger.sources
    works = (
        Work(id="link:1", addresses=(burj.address,), title="Posts", source_class="social"),
        Work(id="link:2", addresses=(eiffel.address,), title="Law", source_class="official"),
    )
    report = await finished("# T\n", locale="zh-CN", around=Surroundings(run=RUN, works=works))
    folded = report.markdown.partition("<details>")[2]
    assert folded.index("Law · 官方") < folded.index("Posts · 社交媒体")


async def test_sources_name_title_address_time_snapshot_and_mark_and_nothing_in_a_title_is_markup(
    finished: Finished, ledger: Ledger
) -> None:
    report = await finished("# T\n\n> “The Eiffel Tower is 330 m tall.” [E.1]\n")
    burj, eiffel, *_ = ledger.sources
    assert (
        f"- [1] The \\*tower\\* \\<b>\\[x\\]\\_\\_ · https://example.org/eiffel · read 2026-11-30 12:00 UTC "
        f"· snapshot {eiffel.snapshot[:12]} · mark {eiffel.mark}\n" in report.markdown
    )
    folded = report.markdown.partition("<details><summary>Also read, not cited (3)</summary>")[2]
    assert f"- Burj · docs://d/burj.md · read 2026-11-30 12:00 UTC · snapshot {burj.snapshot[:12]}" in folded
    assert "</details>" in folded


async def test_what_failed_stays_visibly_marked(finished: Finished) -> None:
    report = await finished(
        "# T\n\n## Findings\n\nDubai's tower rises to 828 metres [B.1]. It is “829 m tall and more” [B.1]. "
        "Paris is a big city of 2 million. It was built in 1889 [S7777.1].\n"
    )
    assert (
        "Dubai's tower rises to 828 metres [1]. ⟨not supported: low_overlap, 0%⟩ It is “829 m tall and more” [1]. "
        "⟨not supported: quote_altered, “829 m tall and more”⟩ Paris is a big city of 2 million. ⟨no source⟩ "
        "It was built in 1889. ⟨not supported: mark_unknown⟩\n" in report.markdown
    )


async def test_notes_and_labels_are_chinese_in_a_chinese_report(finished: Finished) -> None:
    around = Surroundings(run=RUN, gaps=("没有费用资料",))
    draft = "# 题\n\n塔高八百二十八米左右【B.1】。另有“八百二十九米高的塔楼”【B.1】。巴黎有2百万人。\n"
    report = await finished(draft, locale="zh-CN", around=around)
    assert "⟨证据不足：other_language⟩" in report.markdown
    assert "⟨不被支持：quote_altered，“八百二十九米高的塔楼”⟩" in report.markdown
    assert "⟨无出处⟩" in report.markdown
    assert "## 缺口\n\n- 没有费用资料" in report.markdown
    assert "## 来源\n\n- [1] Burj" in report.markdown
    assert report.audit_line.startswith(
        "核验：3 句事实陈述中 0 句得到证实（0 %）· 1 句证据不足 · 1 句不被支持 · 1 句无出处"
    )


async def test_an_unsupported_sentence_is_taken_out_of_a_summary_and_listed(finished: Finished) -> None:
    report = await finished(
        "# T\n\n## Key points\n\n- “The tower is 829 m tall.” [B.1]\n- “It has 163 floors.” [B.2]\n\n"
        "## Findings\n\nSo.\n"
    )
    assert "## Key points\n\n- “It has 163 floors.” [1]\n\n## Findings" in report.markdown
    listed = report.markdown.partition("## Statements that did not pass\n\n")[2].partition("\n")[0]
    assert listed == "- “The tower is 829 m tall.” [1] ⟨not supported: quote_altered⟩"


async def test_the_closing_sections_come_in_order_and_the_comment_last(finished: Finished, ledger: Ledger) -> None:
    burj, eiffel, _, calc = ledger.sources
    around = Surroundings(
        run=RUN,
        gaps=("Nothing on cost.",),
        inputs={calc.mark: (Citation(mark=burj.mark, n=1), Citation(mark=eiffel.mark, n=1))},
        coverage=(CoverageRow(step="1.1", question="How | tall?", claims=2, status="thin", reason="one_work"),),
        unread=(Unread(address="docs://d/x.pdf", why="no_text_layer"),),
    )
    report = await finished("# T\n\n828 / 330 = 2.509 [C.1]\n", around=around)
    headings = re.findall(r"^## (.*)$", report.markdown, re.MULTILINE)
    assert headings == ["Gaps", "Computations", "Coverage", "Sources"]
    assert '````python\nprint("```")\n````' in report.markdown
    assert "```\n828 / 330 = 2.509\n```" in report.markdown
    assert "Inputs: [2][3]" in report.markdown
    assert "| 1.1 | How \\| tall? | 2 | thin: one work |" in report.markdown
    lines = report.markdown.rstrip().split("\n")
    assert lines[-3] == report.audit_line
    assert "1 of 4 pages could not be read" in report.audit_line
    named = COMMENT.fullmatch(lines[-1])
    assert named is not None
    assert named["run"] == RUN
    assert named["evidence"] == hashlib.sha256(report.evidence()).hexdigest()


async def test_the_evidence_is_kept_and_is_the_report_without_its_markdown(finished: Finished, store: Store) -> None:
    report = await finished("# T\n\n> “It has 163 floors.” [B.2]\n")
    body = await store.bytes_of(hashlib.sha256(report.evidence()).hexdigest())
    assert body is not None
    assert Report.model_validate_json(body).model_copy(update={"markdown": report.markdown}) == report


async def test_the_same_draft_gives_the_same_bytes(finished: Finished) -> None:
    draft = "# T\n\n> “It has 163 floors.” [B]\n\nParis is a city of 2 million [3].\n"
    assert (await finished(draft)).markdown == (await finished(draft)).markdown


async def test_a_draft_without_a_heading_gets_the_title_given(finished: Finished) -> None:
    assert (await finished("Text only.")).markdown.startswith("# Given title\n\nText only.")
    report = await finished("# Its own {title}\n\nText only.")
    assert (report.title, report.markdown[:19]) == ("Its own {title}", "# Its own {title}\n\n")


async def test_a_mark_in_the_title_goes(finished: Finished) -> None:
    report = await finished("# So tall [B.1]\n\n> “It has 163 floors.” [B.2]\n")
    assert (report.title, report.audit.citations) == ("So tall", 1)


async def test_code_math_and_braces_are_untouched(finished: Finished) -> None:
    body = '$\\frac{a}{b}$\n\n```json\n{"a": ["[S7f3a.1]", [1, 2]]}\n```\n\n{x} {} %s'
    assert body in (await finished(f"# T\n\n{body}\n")).markdown


async def test_a_forged_comment_or_audit_line_in_a_draft_does_not_stay(finished: Finished) -> None:
    forged = f"<!-- moot run=x evidence=sha256:{'0' * 64} -->"
    report = await finished(f"# T\n\nText only.\n\nAudit: 9 of 9 factual sentences verified (100 %)\n\n{forged}\n")
    assert report.markdown.count("<!-- moot run=") == 1
    assert report.markdown.count("Audit: ") == 1


async def test_counts_are_of_citations_works_quotes_and_pages(finished: Finished) -> None:
    report = await finished("# T\n\nIt is so tall and big [B.1][B.2][E.1]. It is so old and big [B.1] [9].\n")
    audit = report.audit
    assert (audit.citations, audit.works, audit.quotes, audit.quotes_matching, audit.pages) == (4, 2, 4, 4, 3)
    assert audit.removed == {"loose_reference": 1}
    assert report.citations == 4


async def test_what_was_taken_out_before_a_repair_is_counted_too(finished: Finished) -> None:
    around = Surroundings(run=RUN, removed={"loose_reference": 2, "mark_unknown": 1})
    report = await finished("# T\n\nIt is so old and big [9].\n", around=around)
    assert report.audit.removed == {"loose_reference": 3, "mark_unknown": 1}


async def test_a_report_of_nothing_has_no_sources_and_says_so(store: Store) -> None:
    ledger = Ledger()
    checked = await check("# T\n\nNothing was found.", ledger, store, own_sections=("*",))
    report = await finish(checked, ledger, store, surroundings=Surroundings(run=RUN))
    assert report.audit_line.startswith("Audit: no factual sentence")
    assert "## Sources" not in report.markdown
    assert report.surroundings.own_sections == ("*",)
