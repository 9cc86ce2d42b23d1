"""Which sentences are quoted: the terms of a question, what blocks an answer, and the choice; verbatim slices."""

import pytest

from moot.patterns.lenses import BY_NAME, LensName
from moot.patterns.understudies.asking import asked, may_name
from moot.patterns.understudies.quoting import Text, best_sentences
from moot.text.passages import cut


def text(body: str, name: str = "doc.md", title: str = "") -> Text:
    return Text(title or name, name, body, cut(body))


def quoted(question: str, *texts: Text, lens: LensName | None = None) -> list[str]:
    looked_for = asked(question, {one.name for one in texts})
    quotes = best_sentences(looked_for, texts, lens=BY_NAME[lens] if lens else None)
    return [texts[quote.text].text[quote.start : quote.end] for quote in quotes]


@pytest.mark.parametrize(
    ("question", "names", "terms"),
    [
        ("What does the with statement do?", {"with"}, ("statement", "with")),
        ("What does the with statement do?", set(), ("statement",)),
        ("What statement did the minister issue?", set(), ("statement", "minister", "issue")),
        ('What is the difference between "is" and "==" for objects?', set(), ("==", "object", "is")),
        (
            "How many times taller is the Burj Khalifa than the Eiffel Tower?",
            set(),
            ("burj", "khalifa", "eiffel", "tower"),
        ),
        ("How do you make an object callable?", set(), ("object", "callable")),
        ('Does "make" work?', set(), ("make",)),
        ("哈利法塔是埃菲尔铁塔的几倍高", set(), ("哈利", "利法", "法塔", "埃菲", "菲尔", "尔铁", "铁塔", "高")),
    ],
)
def test_terms_are_what_a_question_looks_for(question: str, names: set[str], terms: tuple[str, ...]) -> None:
    assert asked(question, names).terms == terms


def test_a_query_keeps_the_words_as_written_and_quotes_those_kept() -> None:
    question = "What does the with statement do to context managers?"
    assert asked(question, may_name(question)).query() == '"with" statement context managers'
    assert asked(question).query(without=("statement",)) == "context managers"


def test_quotes_are_slices_of_the_text_in_its_order() -> None:
    body = (
        "Intro to gulls.\n\nMost gulls of the coast eat what they find.\n\n- A gull of the coast eats fish and crabs.\n"
    )
    assert quoted("What does a gull of the coast eat?", text(body)) == [
        "Most gulls of the coast eat what they find.",
        "A gull of the coast eats fish and crabs.",
    ]


@pytest.mark.parametrize(
    ("sentence", "is_quoted"),
    [
        ("The [Shard](https://example.org/shard) in London is 310 m tall.", True),
        ("The Shard in London is 310 m tall (https://example.org/shard).", True),
        ("The tall Shard: see <https://example.org/shard>.", False),
        ("How tall the Shard is: https://example.org/a-long-address/of-many-words/that-says-nothing.", False),
    ],
)
def test_a_sentence_with_an_address_is_measured_by_its_own_words(sentence: str, is_quoted: bool) -> None:
    assert quoted("How tall is the Shard?", text(f"About towers.\n\n{sentence}\n")) == [sentence] * is_quoted


def test_nothing_is_quoted_when_what_is_named_is_nowhere() -> None:
    body = "The capital of a column is its upper end. A capital is often carved."
    assert quoted("What is the capital of France?", text(body)) == []
    assert quoted("What is the capital of a column?", text(body)) != []


def test_a_sentence_that_holds_little_of_the_question_is_not_quoted() -> None:
    body = "A class in a school is taught. The class statement makes a class. Nothing else is said here of schools."
    assert quoted("How is a class in Swiss schools organised by law?", text(body)) == []


def test_code_and_grammar_are_never_quoted() -> None:
    body = "```\nthe with statement is a statement of with\n```\n\nwith_stmt ::= the with statement of this grammar\n"
    assert quoted("What is the with statement?", text(body, name="with")) == []


def test_what_says_the_same_is_quoted_once() -> None:
    one = text("The gull is a bird of the coast.", name="a.md")
    two = text("The gull is a bird of the coast!", name="b.md")
    assert len(quoted("What is a gull of the coast?", one, two)) == 1


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        ("How many people does the dam employ?", "The dam employs 130 people.", "The dam employs 145 people."),
        (
            "服务器质保期多长",
            "服务器的质保期为36个月，自验收之日起计算。",
            "服务器的质保期为24个月，自验收之日起计算。",
        ),
        ("服务器质保期多长", "服务器的质保期为三年，自验收之日起计算。", "服务器的质保期为两年，自验收之日起计算。"),
    ],
)
def test_two_figures_for_one_thing_are_both_quoted(question: str, one: str, other: str) -> None:
    assert quoted(question, text(one, name="a.md"), text(other, name="b.md")) == [one, other]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("年假几天", "工作满一年的员工每年享有10天带薪年假。"),
        ("年假有几天？", "工作满一年的员工每年享有10天带薪年假。"),
        ("服务器质保期多长", "服务器的质保期为36个月。"),
        ("试用期多久", "试用期为3个月，期满后转正。"),
    ],
)
def test_a_short_chinese_question_is_answered(question: str, answer: str) -> None:
    assert quoted(question, text(f"公司规定。\n\n{answer}\n\n加班费按基本工资的1.5倍计算。\n")) == [answer]


def test_a_title_is_no_answer() -> None:
    body = "服务器采购补充说明\n\n服务器采购数量为40台。\n"
    assert quoted("采购了多少台服务器", text(body, title="服务器采购补充说明")) == ["服务器采购数量为40台。"]


def test_at_most_four_of_a_text_and_eight_in_all() -> None:
    def many(name: str) -> Text:
        kinds = ("white, of icy bays", "tiny and fast", "noisy in June", "old as hills", "eaten by foxes", "shy")
        return text(
            "\n\n".join(
                f"One gull is {kind} near {name}{n}shore, {name}{n}hill and {name}{n}moor."
                for n, kind in enumerate(kinds)
            ),
            name=name,
        )

    assert len(quoted("What gull is there?", many("a"))) == 4
    assert len(quoted("What gull is there?", many("a"), many("b"), many("c"))) == 8


def test_each_of_several_things_is_answered_for_by_its_own_sentence() -> None:
    burj, eiffel = text("The Burj Khalifa is 828 m tall."), text("The Eiffel Tower is 330 m tall.")
    assert (
        len(quoted("What is the ratio of the height of the Burj Khalifa to that of the Eiffel Tower?", burj, eiffel))
        == 2
    )
    one, two = text("哈利法塔位于迪拜，高828米。"), text("埃菲尔铁塔位于巴黎，高330米。")
    assert len(quoted("哈利法塔的高度是埃菲尔铁塔的多少倍？", one, two)) == 2


def test_through_a_lens_only_what_it_asks_for_is_quoted() -> None:
    body = (
        "The gull of the coast is white.\n\nIn 1850 the gull of the coast was hunted.\n\nThe gull of the coast is shy."
    )
    assert quoted("The gull of the coast", text(body), lens="history") == ["In 1850 the gull of the coast was hunted."]
    assert quoted("The gull of the coast", text(body), lens="risk") == []


def test_a_kept_word_counts_where_the_text_speaks_of_it() -> None:
    told = 'The operators "is" and "is not" test for the identity of an object.'
    body = f'{told}\n\n"==" is another.\n\nThis is the sea, and it is blue today.\n'
    assert quoted('What is the difference between "is" and "==" for objects?', text(body)) == [told]


def test_what_is_set_side_by_side_may_be_answered_one_by_one() -> None:
    one = text("The global statement makes names of the module rebindable.", name="global")
    two = text("The nonlocal statement makes names of the enclosing scope rebindable.", name="nonlocal")
    assert len(quoted("What is the difference between global and nonlocal?", one, two)) == 2
