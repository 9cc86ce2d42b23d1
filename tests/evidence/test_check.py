"""What a claim of a draft is worth: verbatim quotes, marks, pools, inheritance, exemptions, cells, computations."""

import re
from collections.abc import Awaitable, Callable

import pytest

from moot.evidence.check import CheckedDraft, check
from moot.evidence.ledger import Ledger
from moot.evidence.store import Store
from moot.values.evidence import Shown

Keep = Callable[..., Awaitable[Shown]]
BURJ = "The Burj Khalifa in Dubai is 828 m tall.\n\nIt opened in January 2010. It has 163 floors."
EIFFEL = (
    "# Paris\n\nThe Eiffel Tower in Paris is 330 m tall.\n\n| Year | Visitors |\n|---|---|\n| 2019 | 6.2 million |\n"
)
LINKS = (
    "The [Shard](https://example.org/shard) is 310 m tall, as the guide says.[^1]\n\n"
    "See https://example.org for the Gherkin, which is 180 m tall (Smith 2020).\n"
)
DAM = '水库蓄水量为四亿立方米，比去年同期增长百分之五。\n\nThe “great” dam holds "4" things:\nwater and\nmore water.'


@pytest.fixture
async def ledger(keep: Keep) -> Ledger:
    return Ledger(
        [
            await keep("docs://d/burj.md", BURJ, title="Burj"),
            await keep("docs://d/eiffel.md", EIFFEL, title="Eiffel"),
            await keep("docs://d/dam.md", DAM, title="Dam"),
            await keep("docs://d/links.md", LINKS, title="Links"),
            await keep("calc:process#1/1", "ratio = 2.509\n828 / 330 = 2.509\n", code="print(1)", kind="computation"),
        ]
    )


@pytest.fixture
def tried(ledger: Ledger, store: Store) -> Callable[[str], Awaitable[CheckedDraft]]:
    """Checks a draft whose marks are written `B.1`, `E.1`, `D.1`, `C.1` in brackets."""
    marks = dict(zip("BEDLC", (source.mark for source in ledger.sources), strict=True))

    async def checked(draft: str) -> CheckedDraft:
        for name, mark in marks.items():
            draft = re.sub(rf"(?<=[\[【 ]){name}(?=\.\d|\])", mark, draft)
        return await check(draft, ledger, store)

    return checked


Tried = Callable[[str], Awaitable[CheckedDraft]]


@pytest.mark.parametrize(
    "draft, status, reason",
    [
        ("> “The Burj Khalifa in Dubai is 828 m tall.” [B.1]", "verified", ""),
        ("> “It opened in January 2010. It has 163 floors.” [B.2]", "verified", ""),
        ("> “水库蓄水量为四亿立方米，比去年同期增长百分之五。”【D.1】", "verified", ""),
        ("> “The “great” dam holds \"4\" things: water and more water.” [D.2]", "verified", ""),
        ("> “The “great” dam holds \"4\" things:\n> water and\n> more water.” [D.2]", "verified", ""),
        ("The Burj Khalifa in Dubai is 828 m tall [B.1].", "verified", ""),
        ("the burj khalifa in **Dubai** is 828 m tall [B.1].", "verified", ""),
        ("> “The [Shard](https://example.org/shard) is 310 m tall, as the guide says.[^1]” [L.1]", "verified", ""),
        ("> “The Shard is 310 m tall, as the guide says.” [L.1]", "verified", ""),
        ("> “The Shard is 311 m tall, as the guide says.” [L.1]", "unsupported", "quote_altered"),
        ("> “See https://example.org for the Gherkin, which is 180 m tall (Smith 2020).” [L.2]", "verified", ""),
        ("“It opened … in January 2010” [B.2].", "verified", ""),
        ("> “The Burj Khalifa in Dubai is 829 m tall.” [B.1]", "unsupported", "quote_altered"),
        ("> “水库蓄水量为五亿立方米，比去年同期增长百分之五。”【D.1】", "unsupported", "quote_altered"),
        ("> “The Burj Khalifa in Dubai is 828 m tall.” [B.2]", "unsupported", "quote_altered"),
        ("> “The Burj Khalifa in Dubai is 828 m tall.” [E.1]", "unsupported", "quote_altered"),
        ("> “in January 2010 … It opened” [B.2]", "unsupported", "quote_altered"),
        ("It was said to be “really very tall” in Dubai [B.1].", "unsupported", "quote_altered"),
        ("They said “big” of the tower in Dubai [B.1].", "unsupported", "quote_altered"),
        ("The so-called “tower” stands in Dubai by the sea [B.1].", "unsupported", "low_overlap"),
        ("It is not true that “The Burj Khalifa in Dubai is 828 m tall.” [B.1]", "unsupported", "polarity_flipped"),
        ("Dubai's tower rises to 828 metres [B.1].", "weak", "low_overlap"),
        ("Dubai's tower rises to 828 metres [S7777.1].", "unsupported", "mark_unknown"),
        ("Dubai's tower rises to 828 metres [9].", "uncited", ""),
        ("Dubai's tower rises to 828 metres, see https://evil.test/x.", "uncited", ""),
        ("Dubai's tower rises to 828 metres.", "uncited", ""),
        ("> “The Burj Khalifa in Dubai is 828 m tall.” [S7777.1, B.1]", "verified", ""),
        ("828 / 330 = 2.509 [C.2]", "verified", ""),
        ("The ratio = 2.509 [C.1].", "verified", ""),
        ("The Burj Khalifa: ratio = 2.509 [B.1][C.1]", "verified", ""),
        ("The Burj Khalifa: not ratio = 2.509 [B.1][C.1]", "unsupported", "polarity_flipped"),
        ("The Burj Khalifa: ratio = 2.509, in 17 years [B.1][C.1]", "unsupported", "number_absent"),
        ("The ratio = 2.519 [C.1].", "unsupported", "number_differs"),
    ],
)  # fmt: skip
async def test_one_claim(tried: Tried, draft: str, status: str, reason: str) -> None:
    (claim,) = (await tried(draft)).checked
    assert (claim.status, claim.reason) == (status, reason)


@pytest.mark.parametrize(
    "draft, statuses",
    [
        (
            "| Tower | Height |\n|---|---|\n| Burj Khalifa | 828 m [B.1] |\n| Eiffel Tower | 330 m [E.1] |",
            ["verified"] * 2,
        ),
        ("| Tower | Height | |\n|---|---|---|\n| Burj Khalifa | 828 m | [B.1] |", ["verified"]),
        ("| Year | Visitors |\n|---|---|\n| 2019 | 6.2 million [E.2] |", ["verified"]),
        (
            "| Tower | Height |\n|---|---|\n| Burj Khalifa | 28 m [B.1] |\n| Big Ben | 828 m [B.1] |",
            ["unsupported"] * 2,
        ),
        ("| Tower | Height |\n|---|---|\n| Burj Khalifa | 828 m |\n| Words | only |", ["uncited"]),
    ],
)
async def test_a_cell_with_a_figure_is_a_claim_with_the_label_of_its_row(
    tried: Tried, draft: str, statuses: list[str]
) -> None:
    assert [claim.status for claim in (await tried(draft)).checked] == statuses


@pytest.mark.parametrize(
    "draft, n, status",
    [
        ("> “The Burj Khalifa in Dubai is 828 m tall.” [B]", 1, "verified"),
        ("> “It has 163 floors.” [B.999]", 2, "verified"),
        ("> “It has 163 floors.” [B.1-40]", 2, "verified"),
        ("> “The Eiffel Tower in Paris is 330 m tall.” (docs://d/eiffel.md)", 1, "verified"),
        ("Penguins like cold swimming water a lot [B].", 1, "unsupported"),
    ],
)
async def test_a_mark_without_a_passage_is_put_on_the_passage_that_bears_the_claim(
    tried: Tried, draft: str, n: int, status: str
) -> None:
    (claim,) = (await tried(draft)).checked
    assert ([c.n for c in claim.citations], claim.status, claim.snapped) == ([n], status, True)


async def test_the_parts_between_marks_are_claims_and_may_rest_on_the_sentences_pool(tried: Tried) -> None:
    draft = await tried("The Burj Khalifa in Dubai is 828 m tall [B.1], The Eiffel Tower in Paris is 330 m tall [E.1].")
    assert [claim.status for claim in draft.checked] == ["verified", "verified"]
    draft = await tried("The Eiffel Tower in Paris is 330 m tall [E.1]; The Eiffel Tower in Paris is 330 m tall [B.1].")
    assert [claim.status for claim in draft.checked] == ["verified", "verified"]
    draft = await tried(
        "The Burj Khalifa in Dubai is 828 m tall [B.1] and offers guests luxurious rooms, restaurants and pools."
    )
    assert [claim.status for claim in draft.checked] == ["verified", "unsupported"]


async def test_a_sentence_that_refers_back_inherits_marks_only_when_they_bear_it(tried: Tried) -> None:
    draft = await tried("“It opened in January 2010.” [B.2] It has 163 floors.")
    assert [(c.status, c.inherited) for c in draft.checked] == [("verified", False), ("verified", True)]
    draft = await tried("“It opened in January 2010.” [B.2] It has 900 floors and lifts.")
    assert [(c.status, c.inherited) for c in draft.checked] == [("verified", False), ("uncited", False)]
    draft = await tried("“It opened in January 2010.” [B.2]\n\nIt has 163 floors.")
    assert draft.checked[1].status == "uncited"


@pytest.mark.parametrize(
    "sentence",
    ["What does it cost?", "This report has 3 sections.", "下表列出了结果。", "We recommend reading more about towers.",
     "Not much.", "No information on the cost was found.", "没有找到有关费用的资料。", "建议进一步研究。",
     "The cost was not provided.",
     "## 3 towers of 828 m", "```\nThe tower is 828 m tall.\n```", "$$h = 828$$", "Table 1: Towers of 828 m"],
)  # fmt: skip
async def test_what_claims_no_fact_is_not_counted(tried: Tried, sentence: str) -> None:
    assert (await tried(sentence)).checked == ()


@pytest.mark.parametrize(
    "sentence",
    [
        "This report shows that 828 m is the height.",
        "We recommend the Burj Khalifa.",
        "828 m.",
        "The tower is nice and big.",
    ],
)
async def test_what_claims_a_fact_is_counted(tried: Tried, sentence: str) -> None:
    assert [claim.status for claim in (await tried(sentence)).checked] == ["uncited"]


async def test_a_conclusion_that_adds_nothing_to_its_paragraph_is_exempt(tried: Tried) -> None:
    draft = await tried("“The Burj Khalifa in Dubai is 828 m tall.” [B.1] Overall, 828 m is a lot of height.")
    assert [claim.status for claim in draft.checked] == ["verified"]
    draft = await tried("“The Burj Khalifa in Dubai is 828 m tall.” [B.1] Overall, 900 m is a lot of height.")
    assert [claim.status for claim in draft.checked] == ["verified", "uncited"]


async def test_the_programs_own_sections_claim_nothing(ledger: Ledger, store: Store) -> None:
    text = "## Method\n\nIt read 828 pages.\n\n## Findings\n\nIt is 900 m tall."
    assert len((await check(text, ledger, store, own_sections=("Method",))).checked) == 1
    assert (await check(text, ledger, store, own_sections=("*",))).checked == ()


async def test_places_are_those_of_the_claims_in_the_tidied_draft(tried: Tried) -> None:
    draft = await tried(
        "A tower of 828 m [S7777.1] [9]. “It has 163 floors.” [B] See [x](https://evil.test). Dubai is 5 km away."
    )
    stand = [draft.markdown[start:end] for start, end in draft.places]
    assert [words.split("[")[0].strip() for words in stand] == [
        "A tower of 828 m.",
        "“It has 163 floors.”",
        "Dubai is 5 km away.",
    ]
    assert dict(draft.removed) == {"mark_unknown": 1, "loose_reference": 1, "address_unknown": 1}


async def test_quotes_are_the_slices_of_the_passages_cited(tried: Tried) -> None:
    draft = await tried("A tower of 828 m [B.1]. Another of 330 m [E.1][B.1].")
    assert [quote.words for quote in draft.quotes] == [
        "The Burj Khalifa in Dubai is 828 m tall.",
        "The Eiffel Tower in Paris is 330 m tall.",
    ]
    assert all(BURJ[q.start : q.end] == q.words or EIFFEL[q.start : q.end] == q.words for q in draft.quotes)


async def test_a_passage_whose_text_is_gone_bears_nothing(ledger: Ledger, store: Store) -> None:
    await store.forget("r1")
    mark = ledger.sources[0].mark
    (claim,) = (await check(f"The Burj Khalifa in Dubai is 828 m tall [{mark}.1].", ledger, store)).checked
    assert (claim.status, claim.reason) == ("unsupported", "passage_gone")


@pytest.mark.slow
async def test_a_report_of_2000_sentences_is_checked_whole(tried: Tried) -> None:
    draft = "\n\n".join(
        f"The tower number {n} of Dubai rises to {n} metres above the sea [B.{1 + n % 2}]." for n in range(2_000)
    )
    assert len((await tried(draft)).checked) == 2_000
