"""Finds out before a PDF is set whether this machine has a font for every character, so that none becomes a box.

A font's tables are not read here: the typesetter draws each character small, and one that it draws like a character
that no font can have is in none.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Protocol

from moot.text.scripts import CJK_SET
from moot.values.errors import SettingWrong

CJK_FAMILY = re.compile(
    r"CJK|Source Han|Song|Sim(?:Sun|Hei)|Hei|Kai|Ming|Fang|YaHei|PingFang|Hiragino|WenQuanYi|WQY|Droid Sans Fallback"
    r"|Noto (?:Sans|Serif) (?:SC|TC|HK|JP|KR)|Yu (?:Gothic|Mincho)|Meiryo|MS (?:P?Gothic|P?Mincho)|IPA|Malgun|Batang"
    r"|Nanum|Unifont|Arial Unicode"
)
_PREFERRED = {
    "zh": "Noto Serif CJK SC, Source Han Serif SC, Noto Serif SC, Songti SC, SimSun, Noto Sans CJK SC, Microsoft YaHei",
    "ja": "Noto Serif CJK JP, Source Han Serif JP, Hiragino Mincho ProN, Yu Mincho, Noto Sans CJK JP",
    "ko": "Noto Serif CJK KR, Source Han Serif KR, AppleMyungjo, Batang, Noto Sans CJK KR",
}
_CJK_PACKAGES = (
    "Debian, Ubuntu: apt-get install fonts-noto-cjk · Fedora: dnf install google-noto-serif-cjk-vf-fonts · "
    "Alpine: apk add font-noto-cjk · Arch: pacman -S noto-fonts-cjk · "
    "macOS: brew install --cask font-noto-serif-cjk-sc"
)
_EMOJI_PACKAGES = (
    "Debian, Ubuntu: apt-get install fonts-noto-color-emoji fonts-noto-core · "
    "Fedora: dnf install google-noto-color-emoji-fonts"
)
_OTHER_PACKAGES = (
    "Debian, Ubuntu: apt-get install fonts-noto-core fonts-noto-extra · Fedora: dnf install google-noto-fonts-all"
)
_CJK = re.compile(f"[{CJK_SET}]")
_IN_NO_FONT = "\U0010fffd"
_PROBE = """#let all = json(bytes(sys.inputs.all))
#set page(width: 20pt, height: 20pt, margin: 0pt)
#set text(font: json(bytes(sys.inputs.fonts)), size: 8pt)
#for one in all { page(text(one)) }
"""
_GLYPH = re.compile(rb'xlink:href="#(g[0-9A-F]+)"')
_MOST_NAMED = 12


class Fonts(Protocol):
    """The fonts of this machine, as the typesetter finds them."""

    def families(self) -> list[str]: ...


def families_for(words: str, locale: str, known: Fonts) -> list[str]:
    """The fonts to set the words in, best first. Raises SettingWrong(font_missing) for CJK words without a CJK font."""
    families = known.families()
    cjk = [family for family in families if CJK_FAMILY.search(family)]
    language = locale.partition("-")[0].lower()
    if found := _CJK.search(words):
        if not cjk:
            raise font_missing(found[0])
        preferred = ", ".join((_PREFERRED.get(language, ""), *_PREFERRED.values())).split(", ")
        cjk = [*(family for family in preferred if family in cjk), *cjk][:1]
    return ["Libertinus Serif", *cjk]


def check_drawn(words: str, families: Sequence[str], *, typst: ModuleType, known: Fonts) -> None:
    """Raises SettingWrong(font_missing) naming the characters that no font here can draw."""
    wanted = sorted({sign for sign in words if not sign.isascii() and _is_drawn(sign)})
    if not wanted:
        return
    pages = typst.compile(
        _PROBE.encode(), format="svg", font_paths=known,
        sys_inputs={"all": json.dumps([_IN_NO_FONT, *wanted]), "fonts": json.dumps(list(families))},
    )  # fmt: skip
    box, *drawn = [_GLYPH.findall(page) for page in pages]
    missing = [sign for sign, glyphs in zip(wanted, drawn, strict=True) if box and box[0] in glyphs]
    if missing:
        raise font_missing(*missing)


def font_missing(*signs: str) -> SettingWrong:
    """What to install for these characters."""
    package = _package(signs)
    named = " ".join(f"{sign} (U+{ord(sign):04X})" for sign in signs[:_MOST_NAMED])
    more = f" … ({len(signs)})" if len(signs) > _MOST_NAMED else ""
    return SettingWrong(
        f"font_missing: no font here can draw {named}{more}. Install one and export again: {package}.",
        code="font_missing",
        chinese=f"font_missing：本机没有字体能显示 {named}{more}。请安装后重新导出：{package}。",
    )


def _package(signs: Iterable[str]) -> str:
    if any(_CJK.match(sign) for sign in signs):
        return _CJK_PACKAGES
    return _EMOJI_PACKAGES if any(unicodedata.category(sign) == "So" for sign in signs) else _OTHER_PACKAGES


def _is_drawn(sign: str) -> bool:
    """False for what has no shape of its own: blanks, controls, joiners, selectors of variants."""
    return unicodedata.category(sign) not in ("Cc", "Cf", "Zs", "Zl", "Zp") and not 0xFE00 <= ord(sign) <= 0xFE0F
