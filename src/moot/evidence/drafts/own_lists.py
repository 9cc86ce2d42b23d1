"""Takes a model's own list of sources out of its draft, and reads which number it gave to which address."""

import re
from collections import Counter

_TITLE = (
    r"references?|sources?|bibliography|works\s+cited|citations?|further\s+reading|(?:list\s+of\s+)?(?:sources|references)"
    r"|sources\s+(?:and|&)\s+references|references\s+(?:and|&)\s+sources|endnotes|footnotes"
    r"|参考文献|参考资料|参考来源|参考|引用|引用来源|来源|资料来源|数据来源|信息来源|文献|脚注|注释"
)
_HEADING = re.compile(
    rf"^(?:(?P<sharp>#{{1,6}})\s*)?[*_]*(?:\d+[.、)]\s*|[一二三四五六七八九十]+、\s*)?(?:{_TITLE})[*_]*\s*[:：]?[*_]*\s*#*\s*$",
    re.IGNORECASE,
)
_ANY_HEADING = re.compile(r"^(#{1,6})\s")
_BOLD_HEADING = re.compile(r"^(\*\*|__)[^*_\n]{1,80}\1\s*:?\s*$")
_ADDRESS = r"(?:(?:https?|docs|rag)://|www\.|doi\.org/|\bdoi:\s*10\.)[^\s<>)\]，。；）】]+"
_LINE = re.compile(
    rf"^\s*(?:[-*+]\s+)?(?:\\?\[\^?(?P<n>\d{{1,3}})\\?\]\s*[:.]?|(?P<m>\d{{1,3}})[.)、])\s*.*?(?P<to>{_ADDRESS})"
)
_NOTE_LINE = re.compile(rf"^\s*(?:[-*+]\s+)?\\?\[\^?\d{{1,3}}\\?\]\s*(?::|[^\n]*{_ADDRESS})")
_FENCE = re.compile(r"^\s*(?:`{3,}|~{3,})")


def without_own_list(markdown: str, removed: Counter[str]) -> tuple[str, dict[int, str]]:
    """The draft without its reference sections and notes, and the addresses they gave to numbers."""
    listed: dict[int, str] = {}
    kept: list[str] = []
    level = 0
    """Of the reference section that is being left out; 0: none is."""
    in_code = False
    for line in markdown.split("\n"):
        in_code ^= _FENCE.match(line) is not None
        heading = None if in_code else _HEADING.match(line.strip())
        other = _ANY_HEADING.match(line)
        if heading and line.strip():
            removed["reference_section"] += 1
            level = len(heading["sharp"]) if heading["sharp"] else 7
        elif (
            level and not in_code and ((other and len(other[1]) <= level) or (level == 7 and _BOLD_HEADING.match(line)))
        ):
            level = 0
        if level or (not in_code and _NOTE_LINE.match(line)):
            _read(line, listed)
        else:
            kept.append(line)
    return "\n".join(kept), listed


def _read(line: str, listed: dict[int, str]) -> None:
    match = _LINE.match(line)
    if match:
        listed.setdefault(int(match["n"] or match["m"]), match["to"])
