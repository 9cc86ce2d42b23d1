"""The counts behind a report's last line, and the line."""

from collections.abc import Iterable

from moot.text.language import is_chinese
from moot.values.evidence import Audit, Checked


def counted(checked: Iterable[Checked], audit: Audit) -> Audit:
    """The audit with its claims counted by status."""
    checked = [one for one in checked if one.status != "exempt"]
    statuses = [one.status for one in checked]
    return audit.model_copy(
        update={
            "claims": len(statuses),
            "verified": statuses.count("verified"),
            "weak": statuses.count("weak"),
            "unsupported": statuses.count("unsupported"),
            "uncited": statuses.count("uncited"),
            "judged": sum(one.judged for one in checked),
        }
    )


def audit_line(audit: Audit, locale: str, *remarks: str) -> str:
    """`Audit: 37 of 41 factual sentences verified (90 %) · …`, in Chinese for zh*."""
    return " · ".join([_chinese(audit) if is_chinese(locale) else _english(audit), *remarks])


def percent(part: int, whole: int) -> int:
    """Rounded half up; 100 only when all, 0 only when none."""
    if part in (0, whole):
        return 100 if part else 0
    return min(99, max(1, (200 * part + whole) // (2 * whole)))


def _english(a: Audit) -> str:
    if a.claims:
        one = "sentence" if a.claims == 1 else "sentences"
        first = f"{a.verified} of {a.claims} factual {one} verified ({percent(a.verified, a.claims)} %)"
        statuses = [f"{a.weak} weak", f"{a.unsupported} unsupported", f"{a.uncited} uncited"]
    else:
        first, statuses = "no factual sentence", []
    citations, works = "citation" if a.citations == 1 else "citations", "work" if a.works == 1 else "works"
    parts = [
        first,
        *statuses,
        f"{a.citations} {citations} of {a.works} {works}",
        f"{a.quotes_matching} of {a.quotes} quotes match their snapshots",
        f"{a.pages_unread} of {a.pages} pages could not be read",
        _judged(a.judged),
    ]
    return f"Audit: {' · '.join(parts)}"


def _judged(n: int) -> str:
    return f"{n} sentence{'' if n == 1 else 's'} judged by a model" if n else "no model judge"


def _chinese(a: Audit) -> str:
    if a.claims:
        first = f"{a.claims} 句事实陈述中 {a.verified} 句得到证实（{percent(a.verified, a.claims)} %）"
        statuses = [f"{a.weak} 句证据不足", f"{a.unsupported} 句不被支持", f"{a.uncited} 句无出处"]
    else:
        first, statuses = "没有事实陈述", []
    parts = [
        first,
        *statuses,
        f"引用 {a.citations} 处，出自 {a.works} 个作品",
        f"{a.quotes_matching}/{a.quotes} 处引文与快照一致",
        f"{a.pages} 页中 {a.pages_unread} 页未能读取",
        f"模型复核 {a.judged} 句" if a.judged else "未用模型复核",
    ]
    return f"核验：{' · '.join(parts).replace('） ·', '）·')}"
