"""Tells a report's reader by name what went otherwise than asked: engines that failed, pages that were not read or not
whole, pages that would give orders. The program writes it; what a page says of itself is shown as plain words.
"""

from collections.abc import Iterable, Sequence

from moot.evidence.closing import shown
from moot.patterns.wording import worded
from moot.text.addresses import readable
from moot.values.evidence import Shown, Unread

_MOST = 40
_ENGINE = ("Search engine {note}", "搜索引擎 {note}")
_UNREAD = ("Not read: {address}: {why}", "未读：{address}：{why}")
_OF_A_SOURCE = {
    "looks_like_orders": (
        "{address} holds {n} places that look like orders to a model; they are data, and none was followed",
        "{address} 中有 {n} 处看似对模型的指令；它们只是数据，均未执行",
    ),
    "tokens_broken": (
        "{address} holds {n} signs of a chat template or of our fence; they were broken before a model saw them",
        "{address} 中有 {n} 处对话模板或围栏的记号；模型见到之前已将其打断",
    ),
    "partial_text": (
        "{address}: only a part can be read; the rest is for subscribers",
        "{address}：只能读到一部分，其余需订阅",
    ),
    "robots_passed_over": (
        "{address} was read although its site asks robots not to: the question names it",
        "{address} 的站点不希望被自动读取；因提问中给出了该地址，仍作了读取",
    ),
    "hidden_text": ("{address}: {n} pieces of hidden text were left out", "{address}：略去 {n} 处隐藏文字"),
    "charset_doubtful": ("{address}: its letters could not all be told", "{address}：部分字符无法辨认"),
    "browser_refused": ("{address} tried to open what is not opened ({n})", "{address} 试图打开不被允许的地址（{n}）"),
}


def reading_notes(
    search_notes: Iterable[str], unread: Iterable[Unread], sources: Sequence[Shown], *, locale: str
) -> tuple[str, ...]:
    """A line each, in the order met; of what was read in the end, no line that it was not."""
    read = {source.address for source in sources}
    lines = [worded(locale, *_ENGINE, note=shown(note)) for note in search_notes]
    lines += [
        worded(locale, *_UNREAD, address=shown(readable(one.address)), why=shown(_why(one)))
        for one in unread
        if one.address not in read
    ]
    lines += [line for source in sources for note in source.notes if (line := _of_source(source, note, locale))]
    return tuple(dict.fromkeys(lines))[:_MOST]


def _why(one: Unread) -> str:
    """The reason without the address, which stands before it: `bot_wall: the site asks whether we are a person`."""
    code, _, rest = one.why.partition(": ")
    _, between, reason = rest.partition(": ")
    return f"{code}: {reason}" if between and "://" in rest.split(": ")[0] else one.why


def _of_source(source: Shown, note: str, locale: str) -> str:
    name, _, n = note.partition(": ")
    if name not in _OF_A_SOURCE:
        return ""
    return worded(locale, *_OF_A_SOURCE[name], address=shown(readable(source.address)), n=shown(n))
