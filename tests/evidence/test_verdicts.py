"""What a claim is worth on its passages: the tables of rounding, bounds, ranges, dates, names, polarity and shifts."""

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from moot.evidence.check import verdict
from moot.evidence.verdicts.case import Case, Held
from moot.evidence.verdicts.support import support
from moot.values.evidence import Citation
from moot.values.value import Mark

CITED = Citation(mark=Mark("S7f3a"), n=1)


def tried(claim: str, passage: str, *, title: str = "", published: str = "", before: str = "") -> str:
    """`` for verified, else the reason; `!` before it when it is hard."""
    held = Held(CITED, passage, title=title, published=published, before=before)
    found = verdict(Case(claim, (held,)))
    return "" if found is None else f"{'!' if found.hard else ''}{found.reason}"


@pytest.mark.parametrize(
    "claim, passage, reason",
    [
        ("参会人数约300万。", "参会人数为287万。", ""),
        ("参会人数为300万。", "参会人数为287万。", "!number_differs"),
        ("参会人数近300万。", "参会人数为287万。", ""),
        ("参会人数近300万。", "参会人数为302万。", "!number_differs"),
        ("The town has 3.0 million trees.", "The town has 2.96 million trees.", ""),
        ("The town has 3.00 million trees.", "The town has 2.96 million trees.", "!number_differs"),
        ("Output of the plant grew 8.3%.", "Output of the plant went from 60 to 65 units.", "computed"),
        ("Output of the plant grew 5%.", "Output of the plant went from 60% to 65%.", "!number_differs"),
        ("The hall has no fewer than 40 seats.", "The hall has 40 seats.", ""),
        ("The hall has more than 40 seats.", "The hall has 40 seats.", "!number_differs"),
        ("The hall has more than 40 seats.", "The hall has 400 seats.", "bound_loose"),
        ("The hall has 40 seats.", "The hall has up to 40 seats.", "bound_dropped"),
        ("The hall has 40 seats.", "The hall has about 40 seats.", ""),
        ("The hall has 3 to 5 rooms.", "The hall has between 3 and 5 rooms.", ""),
        ("The hall has 4 rooms.", "The hall has 3–5 rooms.", "within_range"),
        ("The hall has 3 to 5 rooms.", "The hall has 4 rooms.", "within_range"),
        ("The hall is 12 km away.", "The hall is 12 miles away.", "!unit_differs"),
        ("The hall cost $12 million.", "The hall cost €12 million.", "!unit_differs"),
        ("The hall has 40 seats.", "The hall has seats.", "!number_absent"),
        ("Users of the hall doubled.", "Users of the hall rose by 100%.", ""),
        ("It was sold in 2021.", "It was sold in May 2021.", ""),
        ("It was sold in May 2021.", "It was sold in 2021.", "date_finer"),
        ("The hall was sold in 2021.", "The hall was sold in 2020.", "!date_differs"),
        ("The hall was sold in 2021.", "The hall was sold.", "date_absent"),
    ],
)
def test_a_figure_or_date_holds_as_closely_as_it_is_told(claim: str, passage: str, reason: str) -> None:
    assert tried(claim, passage) == reason


@pytest.mark.parametrize(
    "claim, passage, reason",
    [
        ("In 2019 Marrow sold 30 boats.", "Marrow sold 30 boats in 2018 and 40 in 2019.", "!number_swapped"),
        ("Marrow sold 30 boats and Solvik 40.", "Solvik sold 30 boats and Marrow 40.", "!number_swapped"),
        ("B made 7 tonnes of salt.", "A and B made 5 and 7 tonnes of salt respectively.", ""),
        ("Income fell from 2.1 to 2.6 million euros.", "Income fell from 2.6 to 2.1 million euros.", "!number_swapped"),
        ("The mayor called it “a great success”.", "The mayor called it “a success”.", "!quote_altered"),
        ("The hall has not opened.", "The hall has opened.", "!polarity_flipped"),
        ("The hall failed to open.", "The hall did not open.", ""),
        ("Prices of salt fell.", "Prices of salt climbed.", "!direction_flipped"),
        ("The board rejected the plan.", "The board approved the plan.", "!direction_flipped"),
        ("The hall opens next to the river.", "The hall may open next to the river.", "modality_stronger"),
        (
            "The director stole the paintings.",
            "The director is accused: he allegedly stole the paintings.",
            "attribution_lost",
        ),
        ("Salt causes headaches.", "Salt is associated with headaches.", "cause_from_association"),
        ("All halls have heating.", "Some halls have heating.", "scope_wider"),
        ("The drug heals wounds in humans.", "The drug heals wounds in mice.", "scope_wider"),
        ("It is the oldest hall of the town.", "It is an old hall of the town.", "superlative_absent"),
        ("Castor Bank bought the hall.", "Pollux Bank bought the hall.", "!entity_differs"),
        ("Castor Bank bought the hall.", "The lender bought the hall.", "entity_absent"),
        ("Birds sing in the morning forest.", "The hall was closed for repairs.", "!low_overlap"),
        ("Norvale 在2021年关闭了工厂。", "Norvale closed the factory in 2021.", "other_language"),
        ("工厂关闭了。", "The factory was closed.", "!not_checkable"),
        (
            "The telescope at Mount Harran saw it in 2016.",
            "In 2016 the telescope at Mount Ilvern saw it.",
            "!entity_differs",
        ),
        ("Castor Savings Bank sold the fund.", "Pollux Savings Bank sold the fund.", "!entity_differs"),
        ("Solvik sued Marrow.", "Marrow sued Solvik over a patent.", "!entity_differs"),
        ("Solvik sued Marrow.", "Marrow was sued by Solvik.", ""),
        ("索维公司起诉马罗公司。", "马罗公司起诉索维公司。", "!entity_differs"),
        ("Solvik met Marrow in Oslen.", "Marrow met Solvik in Oslen.", ""),
        (
            "The north tower is taller than the south tower.",
            "The south tower is taller than the north tower.",
            "!direction_flipped",
        ),
        ("甲厂产量高于乙厂。", "乙厂产量高于甲厂。", "!direction_flipped"),
        ("The hall was finished 14 months early.", "The hall was finished 14 months late.", "!direction_flipped"),
        ("洪水造成40人死亡。", "洪水造成40人受伤。", "!direction_flipped"),
        ("Use of water fell 5% in summer.", "Use of water fell 5% in winter.", "!direction_flipped"),
        (
            "Tarbo is the largest port on the coast.",
            "Tarbo is one of the largest ports on the coast.",
            "superlative_absent",
        ),
        ("Tarbo is one of the largest ports on the coast.", "Tarbo is the largest port on the coast.", ""),
        ("塔博港是沿海最大的港口。", "塔博港是沿海最大的港口之一。", "superlative_absent"),
        ("Ilmar is the largest maker of tin.", "Ilmar is the second-largest maker of tin.", "superlative_absent"),
        ("The hall opened in May.", "The hall will open in May.", "modality_stronger"),
        ("Kelmar paid the fine.", "Kelmar was ordered to pay the fine.", "modality_stronger"),
        ("矿山将关闭。", "除非价格回升，矿山将关闭。", "modality_stronger"),
        ("The rule applies to all firms.", "The rule applies to all firms except banks.", "scope_wider"),
        ("A majority voted against the plan.", "A majority voted for the plan.", "!direction_flipped"),
        ("The lake is 12 °C warm.", "The lake is minus 12 °C warm.", "!number_differs"),
        ("According to staff, Kelmar sold bad meat.", "Staff allege that Kelmar sold bad meat.", ""),
        ("该县大部分村庄已通水。", "该县少数村庄已通水。", "scope_wider"),
    ],
)
def test_each_test_of_a_claim_gives_its_reason(claim: str, passage: str, reason: str) -> None:
    assert tried(claim, passage) == reason


def test_a_title_names_what_its_passages_do_not() -> None:
    assert tried("Tarn Robotics shipped 900 units.", "The company shipped 900 units.") == "entity_absent"
    assert tried("Tarn Robotics shipped 900 units.", "The company shipped 900 units.", title="Tarn Robotics 2024") == ""
    assert (
        tried("Tarn Robotics shipped 900 units.", "The company shipped 900 units.", before="Tarn Robotics is old.")
        == ""
    )


def test_last_year_is_told_by_when_the_source_was_published() -> None:
    assert tried("2023年公司净利润增长12%。", "去年公司净利润增长12%。", published="2024-02-20") == ""
    assert tried("2022年公司净利润增长12%。", "去年公司净利润增长12%。", published="2024-02-20") == "!date_differs"


def test_support_is_the_share_of_a_claims_words_in_two_neighbouring_sentences() -> None:
    held = Held(CITED, "The hall has a roof. Its walls are green. The garden is far away.")
    assert support(Case("The roof and walls are green.", (held,))) == 1
    assert support(Case("The roof and garden are lovely.", (held,))) == pytest.approx(1 / 3)


texts = st.text(
    alphabet=st.sampled_from(
        "0123456789.,%–-~[](){}\"“”‘' \n|年月日百千万亿一二三成倍增降不未约近超至和而，。；：、aAbBsSnot$€¥"
    ),
    max_size=300,
)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.one_of(texts, st.text(max_size=200)), st.one_of(texts, st.text(max_size=200)))
def test_any_claim_on_any_passage_comes_to_a_verdict(claim: str, passage: str) -> None:
    held = Held(CITED, passage, header="| a | b |" if "|" in passage else "", title=claim[:20], published="2024")
    assert verdict(Case(claim, (held,))) == verdict(Case(claim, (held,)))


@pytest.mark.parametrize(
    "text",
    [
        "1" * 100_000,
        "1,234," * 8_000,
        "三百五十万" * 10_000,
        "(" * 50_000,
        "“" * 50_000,
        "A" * 100_000,
        "Lake of the " * 8_000,
        "不" * 50_000,
        "银行" * 20_000,
        "the company said that revenue rose 5% and " * 2_000,
        "-" * 50_000,
        "." * 50_000,
        "$1-" * 30_000,
        "Abc Def, " * 10_000,
        "½ 1/3 between 1 and " * 5_000,
    ],
    ids=range(15),
)
def test_hostile_text_takes_time_that_grows_with_its_length(text: str) -> None:
    began = time.process_time()
    tried(text, text)
    tried(text[:2_000], text)
    assert time.process_time() - began < 20
