"""What may be set of a team that plans, has its plan reviewed and works it off in waves."""

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
