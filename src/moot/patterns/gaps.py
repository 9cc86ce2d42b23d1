"""What a run did not do or find, told to the reader by the program: the report's gaps, and reports of nothing found."""

from collections.abc import Sequence

from moot.patterns.team import Given
from moot.patterns.waves import unsettled
from moot.patterns.wording import worded
from moot.values.evidence import Shown
from moot.values.plans import StepResult

_STATUS = {
    "empty": ("nothing was found", "没有找到"),
    "failed": ("failed", "失败"),
    "skipped": ("skipped", "已跳过"),
    "done": ("done", "完成"),
}
_REASONS = {
    "max_steps": ("its turns were used up", "轮次已用完"),
    "stuck": ("it went in circles", "陷入重复"),
    "budget": ("the budget was spent", "预算已用完"),
    "timed_out": ("it ran out of time", "超时"),
    "tools_failed": ("its tools failed", "工具失败"),
    "needs_model": ("it needs a model", "需要模型"),
    "not_approved": ("a call was not allowed", "调用未获许可"),
    "needs": ("nothing to work on", "没有可用的材料"),
    "stopped": ("the run was stopped before it", "运行提前停止"),
    "finished_early": ("supervisor finished early", "主管提前结束"),
    "turns": ("the turns were spent before it", "轮次已用完"),
}
_LINK = (
    "{link}: not opened, the web is off (--web opens it)",
    "{link}：未打开，联网已关闭（--web 可打开）",
)
_MOST_TOLD = 12


def gaps_of(results: Sequence[StepResult], given: Given, locale: str) -> tuple[str, ...]:
    """A line a gap: each step not done nor retried, with the reason, and each link that was not opened."""
    steps = [_gap(result, locale) for result in unsettled(results)]
    short = [_short(result, locale) for result in results if result.status == "done" and result.reason == "short"]
    links = [] if given.web else [worded(locale, *_LINK, link=link) for link in given.links]
    return (*steps, *short, *links)


def reason_of(result: StepResult, locale: str) -> str:
    """Why a step is not done, in words, with the code and what is known beside."""
    words = worded(locale, *_STATUS[result.status])
    if result.reason:
        english, chinese = _REASONS.get(result.reason, (result.reason, result.reason))
        words += f" ({worded(locale, english, chinese)})" if result.reason in _REASONS else f" ({result.reason})"
    detail = " ".join(result.detail.split())[:300]
    known = detail and detail.casefold() not in words.casefold()
    return f"{words}{worded(locale, ': ', '：')}{detail}" if known else words


def nothing_found(
    results: Sequence[StepResult], sources: Sequence[Shown], given: Given, *, title: str, locale: str
) -> str:
    """The Markdown of a report of nothing: what was looked for, where, and why nothing came."""
    tried = list(dict.fromkeys(words for result in results for words in result.tried))
    queries = [words for words in tried if "://" not in words][:_MOST_TOLD]
    read = [" ".join(shown.title.split()) or named(shown.address) for shown in sources][:_MOST_TOLD]
    colon = worded(locale, ": ", "：")
    parts = [f"# {worded(locale, 'Nothing found', '没有找到')}{colon}{' '.join(title.split())}"]
    parts += list_under(
        worded(locale, "What was looked for", "查找了什么"),
        [f"{result.id} {result.title}" for result in results]
        + [f"{worded(locale, 'Searched', '检索')}{colon}{query}" for query in queries],
    )
    parts += list_under(
        worded(locale, "Where", "在哪里找"),
        [named(address) for address in given.resources]
        + [f"{worded(locale, 'Read', '阅读')}{colon}{line}" for line in read],
    )
    why = [f"{result.id}{colon}{reason_of(result, locale)}" for result in results]
    why += [worded(locale, *_LINK, link=link) for link in given.links if not given.web]
    parts += list_under(worded(locale, "Why nothing came", "为何一无所获"), why)
    return "\n\n".join(parts) + "\n"


def method_of(results: Sequence[StepResult], sources: Sequence[Shown], given: Given, *, locale: str) -> str:
    """The section on method, made of what was really done."""
    done = sum(result.status == "done" for result in results)
    queries = list(dict.fromkeys(words for result in results for words in result.tried if "://" not in words))
    documents = sum(shown.kind != "computation" for shown in sources)
    without = sum(result.by == "understudy" for result in results if result.status != "skipped")
    where, searched = ", ".join(map(named, given.resources)), "; ".join(queries[:_MOST_TOLD])
    lines = [worded(locale, "Steps: {done} of {n} done", "步骤：{n} 个中完成 {done} 个", done=done, n=len(results))]
    if where:
        lines.append(worded(locale, "Searched in: {where}", "检索范围：{where}", where=where))
    if searched:
        lines.append(worded(locale, "Searched for: {what}", "检索词：{what}", what=searched))
    lines.append(worded(locale, "Documents read: {n}", "阅读文档：{n} 篇", n=documents))
    if without:
        lines.append(worded(locale, "Steps worked without a model: {n}", "未用模型完成的步骤：{n} 个", n=without))
    return "\n".join(f"- {line}" for line in lines)


def declined(locale: str) -> str:
    """What stdout gets when the plan was refused."""
    return worded(locale, "The plan was refused; nothing was researched.", "计划被拒绝，没有进行研究。")


def named(address: str) -> str:
    """An address as a name: the check takes addresses of no source out of a text."""
    return address.removeprefix("docs://")


def _gap(result: StepResult, locale: str) -> str:
    return f"{result.id} {result.title}{worded(locale, ': ', '：')}{reason_of(result, locale)}"


def _short(result: StepResult, locale: str) -> str:
    cut = worded(locale, "cut short", "提前结束")
    colon = worded(locale, ": ", "：")
    return f"{result.id} {result.title}{colon}{cut}{colon}{' '.join(result.detail.split())[:300]}"


def list_under(heading: str, lines: Sequence[str]) -> list[str]:
    """A section of one list; nothing when the list is empty."""
    return [f"## {heading}", "\n".join(f"- {line}" for line in lines)] if lines else []
