"""How a report is built and how long it may be, by style: sections in the locale, tone, maximum of words."""

from collections.abc import Mapping
from dataclasses import dataclass

from moot.patterns.wording import worded
from moot.text.scripts import cjk_share
from moot.text.words import words
from moot.values.plans import By
from moot.values.runs import Style

_LEAST_WORDS = 200
_WORDS_A_PASSAGE = 150
_CHARACTERS_A_WORD = 1.6


@dataclass(frozen=True, slots=True)
class Form:
    """One style. A section is named in English and Chinese; `METHOD` is written by the program."""

    sections: tuple[tuple[str, str], ...]
    tone: str
    """For the writer, in English like all prompts."""
    max_words: int
    rule: tuple[str, str] = ("", "")
    """What else the writer must keep to: for other locales, for Chinese."""
    short: int = 0
    """The section in which a short answer stands."""
    body: int = 1
    """The section in which the evidence stands, step by step."""
    numbers: int = 1
    """The section in which tables of values stand."""
    closing: int | None = None
    """The section that ends with what is left open, which an understudy lists there; None: the gaps alone tell."""
    is_posts: bool = False
    """True for posts in a row, without headings."""

    def named(self, locale: str) -> tuple[str, ...]:
        """The sections' headings in a locale."""
        return tuple(worded(locale, *section) for section in self.sections)


METHOD = ("Method", "方法")
"""The section that the program writes."""

FORMS: Mapping[Style, Form] = {
    "academic": Form(
        (
            ("Abstract", "摘要"), ("Background", "背景"), METHOD, ("Findings", "研究发现"), ("Discussion", "讨论"),
            ("Limitations", "局限"),
        ),
        "formal; gives both views; conclusions are marked as such", 3_000, body=3, numbers=3,
    ),
    "popular_science": Form(
        (
            ("What it is about", "这是怎么回事"), ("The idea in plain words", "用大白话说"),
            ("How we know", "我们怎么知道"), ("What it means", "意味着什么"), ("Open questions", "尚待解答"),
        ),
        "lively; every term explained at its first use; no term that a newcomer would have to look up", 1_500,
        body=2, numbers=2,
    ),
    "news": Form(
        (
            ("Headline and lead", "标题与导语"), ("Key facts", "关键事实"), ("Context", "背景"), ("Voices", "各方声音"),
            ("What comes next", "后续"),
        ),
        "inverted pyramid: the most important first; short sentences", 900,
        rule=(
            "The lead has at most 60 words: who, what, when, where, why. Voices only if somebody is quoted.",
            "导语不超过 60 个词：何人、何事、何时、何地、为何。只有引用了原话时才写各方声音。",
        ),
    ),
    "social_media": Form(
        (("Posts", "笔记"),),
        "direct; speaks to one reader", 600,
        rule=(
            "No headings: 4 to 10 posts, each a paragraph of at most 280 characters with its mark in it.",
            "一篇笔记：标题不超过 20 个字，正文 3 至 8 个短段落，标签不超过 5 个。",
        ),
        body=0, numbers=0, is_posts=True,
    ),
    "strategic_investment": Form(
        (
            ("Summary and recommendation", "摘要与建议"), ("Thesis", "投资逻辑"), ("Market", "市场"),
            ("Players", "主要参与者"), ("Technology", "技术"), ("Numbers", "数据"), ("Risks", "风险"),
            ("Scenarios", "情景"), ("Timeline", "时间线"), ("What would change our mind", "什么会改变判断"),
        ),
        "the decision first, then what it rests on", 15_000,
        rule=(
            "Market is a table. Risks are a table: risk, likelihood, effect, mitigation. Scenarios: bull, base, bear.",
            "市场用表格。风险用表格：风险、可能性、影响、应对。情景分乐观、基准、悲观。",
        ),
        numbers=5,
    ),
    "executive": Form(
        (
            ("Executive summary", "执行摘要"), ("Key findings", "关键发现"), ("Detailed analysis", "详细分析"),
            ("Conclusions and recommendations", "结论与建议"),
        ),
        "plain and to the point: a short overview first, what can be done last", 3_000, numbers=2, closing=3,
    ),
}  # fmt: skip


def own_sections(style: Style, locale: str, *, by: By) -> tuple[str, ...]:
    """Headings whose text is the program's own, so that it claims nothing."""
    form = FORMS[style]
    own = [METHOD]
    if by == "understudy" and form.closing is not None:  # a table of what was computed, and a list of what is open
        own += [form.sections[form.numbers], form.sections[form.closing]]
    return tuple(worded(locale, *heading) for heading in own)


def most_words(style: Style, cited_passages: int) -> int:
    """The longest a report may be: thin evidence makes a short report."""
    return min(FORMS[style].max_words, words_borne(cited_passages))


def words_borne(cited_passages: int) -> int:
    """How many words so many passages bear, whatever the style."""
    return max(_LEAST_WORDS, _WORDS_A_PASSAGE * cited_passages)


def words_in(text: str) -> int:
    """Its length in words; of Chinese and Japanese, 1.6 characters are a word."""
    count = len(words(text))
    return round(count / _CHARACTERS_A_WORD) if cjk_share(text) > 0.5 else count
