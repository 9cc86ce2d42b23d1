"""The eight lenses a question is looked at through: what each asks for, its triggers, what a quote must hold."""

import re
from dataclasses import dataclass
from typing import Literal

from moot.patterns.wording import worded
from moot.values.plans import Step

LensName = Literal["history", "current", "future", "stakeholders", "quantitative", "qualitative", "comparative", "risk"]
Must = Literal["trigger", "year", "newest", "digit", "contrast"]


@dataclass(frozen=True, slots=True)
class Lens:
    """One way of looking; `asks` and `label` are in English and Chinese."""

    name: LensName
    label: tuple[str, str]
    asks: tuple[str, str]
    trigger: re.Pattern[str]
    must: Must
    """What a quoted sentence must hold beside, or in place of, a trigger."""

    def titled(self, locale: str, topic: str) -> str:
        """The title of a step that looks at a topic through this lens."""
        return f"{worded(locale, *self.label)}{worded(locale, ': ', '：')}{topic}"

    def holds(self, sentence: str, newest_year: int | None = None) -> bool:
        """True when a sentence tells what this lens asks for. `newest_year`: the newest one in all that was read."""
        match self.must:
            case "digit":
                return bool(re.search(r"\d", sentence))
            case "contrast":
                return bool(_CONTRAST.search(sentence))
            case "year":
                return bool(years(sentence)) or bool(self.trigger.search(sentence))
            case "newest":
                return newest_year in years(sentence) or bool(self.trigger.search(sentence))
            case "trigger":
                return bool(self.trigger.search(sentence))


def years(text: str) -> list[int]:
    """The years that a text names, 1000 to 2999."""
    return [int(year) for year in re.findall(r"(?<![\d.,])([12]\d{3})(?![\d.,]\d|\d)", text)]


def _trigger(english: str, chinese: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{english})\b|{'|'.join(chinese.split())}", re.IGNORECASE)


_CONTRAST = re.compile(r"\b(?:than|unlike|whereas|versus)\b|比|相比|不同", re.IGNORECASE)

LENSES: tuple[Lens, ...] = (
    Lens(
        "history",
        ("History", "历史"),
        ("data and trends of the past, the timeline, how it changed", "过去的数据与趋势、时间线、演变"),
        _trigger(
            "history|histories|historical(?:ly)?|origins?|evolution|evolved|timeline|since", "历史 演变 起源 历程"
        ),
        "year",
    ),
    Lens(
        "current",
        ("Current state", "现状"),
        ("today's data, the situation, recent events", "当前的数据、形势、近期事件"),
        _trigger("current(?:ly)?|latest|today|recent(?:ly)?|status", "现状 当前 目前 最新"),
        "newest",
    ),
    Lens(
        "future",
        ("Outlook", "前景"),
        ("forecasts, outlook, scenarios", "预测、前景、可能的情景"),
        _trigger("future|forecasts?|outlook|trends?|will", "未来 预测 趋势 前景"),
        "trigger",
    ),
    Lens(
        "stakeholders",
        ("Who is affected", "相关各方"),
        ("who is involved or affected, their views and interests", "涉及或受影响的各方，他们的看法与利益"),
        _trigger("impacts? on|people|users?|workers?|compan(?:y|ies)", "影响 人群 用户 企业"),
        "trigger",
    ),
    Lens(
        "quantitative",
        ("Figures", "数据"),
        ("figures and statistics, from several sources", "数字与统计，来自多个来源"),
        _trigger("how (?:many|much)|numbers?|rates?|percent(?:age)?|prices?|costs?", "多少 数据 统计 比例 价格"),
        "digit",
    ),
    Lens(
        "qualitative",
        ("Views and cases", "观点与案例"),
        ("opinions, testimony, cases, description", "观点、证言、案例、描述"),
        _trigger("why|opinions?|experiences?|cases?|examples?", "为什么 观点 案例 经验"),
        "trigger",
    ),
    Lens(
        "comparative",
        ("Comparison", "比较"),
        ("benchmarks, similar cases, alternatives", "基准、类似案例、替代方案"),
        _trigger("compar(?:e|es|ed|ison|isons)|versus|better|differences?|alternatives?", "比较 对比 区别 优劣"),
        "contrast",
    ),
    Lens(
        "risk",
        ("Risks and limits", "风险与局限"),
        ("risks, limits, obstacles, mitigation", "风险、局限、障碍、应对"),
        _trigger(
            "risks?|challenges?|dangers?|dangerous|limits?|limitations?|safe|safety|problems?",
            "风险 挑战 障碍 局限 安全",
        ),
        "trigger",
    ),
)
BY_NAME = {lens.name: lens for lens in LENSES}
_NOTE = re.compile(r"\blens: ([a-z]+)")
_WITHOUT_TRIGGER: tuple[LensName, ...] = (
    "current", "quantitative", "comparative", "risk", "history", "stakeholders", "qualitative", "future"
)  # fmt: skip


def for_question(question: str) -> tuple[Lens, ...]:
    """All lenses, the most telling first: those the question triggers, then the others in a fixed order."""
    triggered = [lens for lens in LENSES if lens.trigger.search(question)]
    return (*triggered, *(BY_NAME[name] for name in _WITHOUT_TRIGGER if BY_NAME[name] not in triggered))


def note_of(lens: Lens) -> str:
    """The step's note by which its worker knows the lens."""
    return f"lens: {lens.name}"


def lens_of(step: Step) -> Lens | None:
    """The lens that a step looks through, by its note."""
    found = _NOTE.search(step.note)
    return next((lens for lens in LENSES if found and lens.name == found[1]), None)
