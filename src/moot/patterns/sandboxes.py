"""What a reader of a report must know of the sandboxes its code ran in: that there was none, or that one was open."""

from moot.patterns.wording import worded
from moot.run.doors import Doors
from moot.sandbox.tiers import Served

_NONE = ("{tool} was not available: no sandbox works here ({tried})", "{tool} 不可用：本机没有可用的沙箱（{tried}）")
_SMALL = ("{tool} was the small Python ({tried})", "{tool} 使用的是小型 Python（{tried}）")
_BARE = ("{tool} ran without a sandbox", "{tool} 未在沙箱中运行")
_OPEN = ("code of {tool} could reach the network", "{tool} 的代码可以访问网络")


def sandbox_remarks(doors: Doors, locale: str) -> tuple[str, ...]:
    """For the audit line, a phrase each; nothing where all tools had the sandbox they should."""
    found = ((tool, served, _remark(served)) for tool, served in sorted(doors.served.items()))
    return tuple(
        worded(locale, *words, tool=tool, tried="; ".join(served.tried)) for tool, served, words in found if words
    )


def _remark(served: Served) -> tuple[str, str] | None:
    if served.tier is None:
        return None if not served.tried else _SMALL if served.small else _NONE
    return _BARE if not served.tier.isolates else _OPEN if served.tier.network else None
