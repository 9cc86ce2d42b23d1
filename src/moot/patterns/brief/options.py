"""What may be set of a brief."""

from moot.patterns.team import option
from moot.values.value import Value

_LEAST_CANDIDATES = 6


class BriefOptions(Value):
    """Options of `brief`; a field is a flag, a variable and a line of settings.toml."""

    questions: int = option(
        4, "--questions", "Sub-questions, at most.", chinese="子问题个数上限。", least=1, most=8
    )  # fmt: skip
    links_each: int = option(
        4, "--links-each", "Pages read for each sub-question.", chinese="每个子问题阅读的网页数。", least=1, most=8
    )  # fmt: skip
    parallel: int = option(
        4, "--parallel", "Pages read and digested at once; 1: one after another.",
        chinese="同时阅读并摘要的网页数；1 表示逐个进行。", least=1, most=16,
    )  # fmt: skip
    words: int = option(
        2_000, "--words", "Words of the report, at most.", chinese="报告字数上限（以词计）。", least=100, most=20_000
    )  # fmt: skip
    review: bool = option(
        False, "--review", "Show the sub-questions before anything is searched for them.",
        chinese="检索之前先展示子问题供确认。",
    )  # fmt: skip

    @property
    def candidates(self) -> int:
        """Search results asked for each sub-question."""
        return max(2 * self.links_each, _LEAST_CANDIDATES)
