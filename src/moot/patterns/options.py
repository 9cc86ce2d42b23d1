"""What may be set of teams that plan, may have their plan reviewed, and work it off: in waves, or one at a time."""

from moot.patterns.members import LeftOut, MemberSetting
from moot.patterns.team import option
from moot.values.value import Value


class StepOptions(Value):
    """Options of every team whose plan is worked off step by step."""

    max_parallel_steps: int = option(
        3, "--parallel", "Steps at work at once, at most.", chinese="同时进行的步骤上限。", least=1, most=8
    )  # fmt: skip
    max_search_results: int = option(
        5, "--results", "Search results that are read, at most.", chinese="每次检索阅读的结果上限。", least=1, most=20
    )  # fmt: skip
    step_timeout_s: int = option(
        600, "--step-seconds", "Seconds a step may take.", chinese="每个步骤的秒数上限。", least=10, most=7_200
    )  # fmt: skip


class ResearchOptions(StepOptions):
    """Options of `research`; a field is a flag, a variable and a line of settings.toml."""

    max_step_num: int = option(
        3, "--max-steps", "Steps in a plan, at most.", chinese="每份计划的步骤上限。", least=1, most=10
    )  # fmt: skip
    max_plan_iterations: int = option(
        2, "--max-rounds", "Rounds of planning, at most.", chinese="规划轮数上限。", least=1, most=5
    )  # fmt: skip
    deep_thinking: bool = option(
        False, "--think", "Plan with the strong model, and let it reason.",
        chinese="用 strong 档模型规划，并允许深入推理。",
    )  # fmt: skip
    enable_background: bool = option(
        True, "--no-background", "Plan without a first look at the topic.", chinese="规划之前不先行检索。"
    )  # fmt: skip
    max_clarification_rounds: int = option(
        0, "--clarify[=3]", "Ask back before planning, so often at most; 0: never.",
        chinese="规划前最多反问几次；0 表示不反问。", least=0, most=5,
    )  # fmt: skip


class SupervisedOptions(Value):
    """Options of `supervised`."""

    who: tuple[str, ...] = option(
        (), "--members", "Who takes part, by commas; those who must are always in.",
        chinese="参加的成员，以逗号分隔；必需的成员总在其中。",
    )  # fmt: skip
    members: dict[str, MemberSetting] = option(
        {}, "", "Members changed or added, a table each.", chinese="修改或新增的成员，每名一个表。"
    )
    left_out: tuple[LeftOut, ...] = ()
    """Those who cannot work here; settled when a run is begun."""
    deep_thinking: bool = option(
        True, "--no-think", "Plan with the fast model.", chinese="用 fast 档模型规划，不作深入推理。"
    )
    search_first: bool = option(
        True, "--no-search-first", "Plan without a search before.", chinese="规划之前不先检索。"
    )
    review: bool = option(False, "--review", "Show the plan first.", chinese="先显示计划，由人审阅。")
    max_steps: int = option(
        6, "--max-steps", "Steps in the plan, at most.", chinese="计划的步骤上限。", least=1, most=12
    )
    max_turns: int | None = option(
        None, "--max-turns", "Turns of members, at most; without it as many as the plan's steps need: 1 to 50.",
        chinese="成员轮次上限；不设则按计划步骤数而定：1 至 50。", least=1, most=50,
    )  # fmt: skip
    max_attempts: int = option(
        2, "", "How often a step is tried, at most.", chinese="每个步骤最多尝试几次。", least=1, most=3
    )
    max_extra_turns: int = option(
        2, "", "Turns of members who have no open step, at most.", chinese="没有待办步骤的成员最多可加的轮次。",
        least=0, most=10,
    )  # fmt: skip
    max_search_results: int = option(
        5, "--results", "Search results that are read, at most.", chinese="每次检索阅读的结果上限。", least=1, most=20
    )  # fmt: skip
    turn_timeout_s: int = option(
        900, "--turn-seconds", "Seconds a turn may take.", chinese="每一轮的秒数上限。", least=10, most=7_200
    )  # fmt: skip
    max_clarification_rounds: int = option(
        1, "--clarify[=1]", "Ask back before planning, so often at most; 0: never.",
        chinese="规划前最多反问几次；0 表示不反问。", least=0, most=5,
    )  # fmt: skip
