"""In which language a text is, and in which one an answer was asked for. By counting; no model, no dictionary."""

import re
from collections.abc import Mapping
from functools import cache

from moot.text.scripts import HAN, HANGUL, KANA
from moot.text.words import FUNCTION_WORDS

_LIKELY: Mapping[str, str] = {
    "zh": "zh-CN", "en": "en-US", "ja": "ja-JP", "ko": "ko-KR", "ru": "ru-RU", "de": "de-DE", "fr": "fr-FR",
    "es": "es-ES", "pt": "pt-BR", "it": "it-IT", "vi": "vi-VN", "nl": "nl-NL", "pl": "pl-PL", "uk": "uk-UA",
    "tr": "tr-TR", "ar": "ar-SA", "he": "he-IL", "hi": "hi-IN", "th": "th-TH", "id": "id-ID", "sv": "sv-SE",
    "da": "da-DK", "fi": "fi-FI", "cs": "cs-CZ", "el": "el-GR", "hu": "hu-HU", "ro": "ro-RO", "no": "nb-NO",
    "nb": "nb-NO",
}  # fmt: skip
_SCRIPTED = {"zh-hans": "zh-CN", "zh-hant": "zh-TW"}

_FUNCTION: Mapping[str, frozenset[str]] = {
    "de": frozenset(
        "der die das und ist sind nicht ein eine einen einem einer mit von zu auf für im am den dem des wie was wer wo "
        "warum wann welche welcher welches wird werden kann bei aus nach über auch sich es ich wir sie gibt".split()
    ),
    "fr": frozenset(
        "le la les un une des du de et est sont ne pas que qui quoi dans pour avec sur au aux ce cette ces comment "
        "pourquoi quel quelle quels quelles où quand il elle nous vous ils par plus se son sa ses l d qu est-ce".split()
    ),
    "es": frozenset(
        "el la los las un una unos unas de del y es son no que en por para con cómo qué quién cuál cuáles cuándo dónde "
        "cuánto cuántos se su sus al lo como más está hay entre".split()
    ),
    "pt": frozenset(
        "o os a as um uma de do da dos das e é são não que em no na nos nas por para com como qual quais quem quando "
        "onde quanto se seu sua ao à mais está há entre você".split()
    ),
    "it": frozenset(
        "il lo la i gli le un una di del della dei delle e è sono non che in nel nella per con come quale quali chi "
        "quando dove quanto si suo sua al alla più perché cosa ci".split()
    ),
    "vi": frozenset(
        "là và của có không những các một cho với trong được này đó như thế nào gì tại sao khi ở đâu bao nhiêu người "
        "về từ đến bị vì".split()
    ),
}

_NAMES: Mapping[str, str] = {
    name: tag
    for tag, names in {
        "en-US": "english 英文 英语 英語 englisch anglais inglés inglês inglese",
        "zh-CN": "chinese mandarin 中文 汉语 漢語 简体中文 普通话 国语 chinesisch chinois chino",
        "ja-JP": "japanese 日文 日语 日語 日本語 japanisch japonais",
        "ko-KR": "korean 韩文 韩语 韓語 한국어 koreanisch coréen",
        "de-DE": "german 德文 德语 deutsch allemand alemán alemão tedesco",
        "fr-FR": "french 法文 法语 français französisch francés francês francese",
        "es-ES": "spanish 西班牙文 西班牙语 español spanisch espagnol espanhol spagnolo",
        "pt-BR": "portuguese 葡萄牙文 葡萄牙语 português portugiesisch portugais",
        "it-IT": "italian 意大利文 意大利语 italiano italienisch italien",
        "ru-RU": "russian 俄文 俄语 русском russisch russe",
        "vi-VN": "vietnamese 越南文 越南语",
        "ar-SA": "arabic 阿拉伯文 阿拉伯语",
    }.items()
    for name in names.split()
}
_ANY = "|".join(sorted(map(re.escape, _NAMES), key=len, reverse=True))
_ASKED = (
    r"\b(?:answer|reply|respond)(?:\s+\w+){0,4}?\s+in\s+LANG\b",
    r"\b(?:write|give|make|explain|summari[sz]e|report|present)\s+(?:me\s+)?(?:(?:it|this|everything|your|the|an?)\s*)?"
    r"(?:answer|report|reply|response|summary)?\s*in\s+LANG\b(?!\s+\w+\s*\?)(?=[\s.,:;!]|\Z)(?![^?]*\?\s*\Z)",
    r"\bin\s+LANG,?\s+please\b|\bplease,?\s+in\s+LANG\b|\A\s*in\s+LANG\s*[:,]",
    r"\b(?:antworte[nt]?|schreibe?n?)\b[^.?!]{0,40}\bauf\s+LANG\b|\bauf\s+LANG\s+(?:bitte|antworten)",
    r"\b(?:répon(?:ds|dez|dre)|écri(?:s|vez))\b[^.?!]{0,40}\ben\s+LANG\b",
    r"\b(?:responde[r]?|responda|contesta|escribe)\b[^.?!]{0,40}\bem?n?\s+LANG\b",
    r"\b(?:rispondi|scrivi)\b[^.?!]{0,40}\bin\s+LANG\b",
    r"(?:用|以|使用)LANG(?:来|去)?(?:进行|做)?(?:回答|作答|答复|回复|回應|撰写|书写|写|输出|解释|说明|介绍|总结|报告)(?!什么|怎么)",
    r"(?:答案|回答|报告|答复|回复)(?:请|要|必须)?(?:用|以|使用)LANG",
    r"(?:\A|[。，,！!\n])\s*(?:请)?(?:用|以)LANG\s*[：:，,。]",
    r"LANGで(?:答|回答|書|説明)|LANG로\s*(?:답|대답|써|설명)",
)  # fmt: skip
_POLITE = re.compile(
    r"\b(?:please|thanks|thank you|and|but|bitte|merci|gracias)\b|请|請|谢谢|谢|您|你|并|而且", re.IGNORECASE
)
_TAG = re.compile(r"([A-Za-z]{2,3})(?:-([A-Za-z]{4}))?(?:-([A-Za-z]{2}|\d{3}))?((?:-[A-Za-z0-9]{1,8})*)")
_LATIN = re.compile(r"[A-Za-zÀ-ɏḀ-ỿ]+(?:['’-][A-Za-zÀ-ɏḀ-ỿ]+)*")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]+")


def detect_locale(text: str) -> str:
    """The locale a text is written in, as far as its script and function words tell; en-US when nothing does."""
    latin = [word.lower() for word in _LATIN.findall(text)]
    han, kana, hangul = len(HAN.findall(text)), len(KANA.findall(text)), len(HANGUL.findall(text))
    if kana and kana >= 0.1 * (han + kana) and han + kana > len(latin):
        return "ja-JP"
    if hangul > len(latin):
        return "ko-KR"
    if han > len(latin):
        return "zh-CN"
    if len(_CYRILLIC.findall(text)) > len(latin):
        return "ru-RU"
    english = sum(word in FUNCTION_WORDS for word in latin)
    counts = {language: sum(word in known for word in latin) for language, known in _FUNCTION.items()}
    best = max(counts, key=lambda language: counts[language])
    if counts[best] >= 2 and counts[best] > english:
        return _LIKELY[best]
    return "en-US"


@cache
def _asked() -> tuple[re.Pattern[str], ...]:
    # Compiled at its first use: together these take a fortieth of a second, and a start that asks nobody needs none.
    return tuple(re.compile(pattern.replace("LANG", f"({_ANY})"), re.IGNORECASE) for pattern in _ASKED)


def requested_locale(text: str) -> str | None:
    """The locale that the text asks an answer to be in ("answer in German", 用英文回答); None when it asks none."""
    for pattern in _asked():
        match = pattern.search(text)
        if match:
            return _NAMES[next(name for name in match.groups() if name).lower()]
    return None


def only_asks_for_a_locale(text: str) -> bool:
    """True for words that say nothing but what language to answer in, politeness aside: "Please answer in German."."""
    for pattern in _asked():
        if match := pattern.search(text):
            rest = _POLITE.sub(" ", f"{text[: match.start()]} {text[match.end() :]}")
            return not any(char.isalnum() for char in rest)
    return False


def normal_locale(tag: str) -> str | None:
    """A BCP-47 tag in its usual form, with a region: `zh`, `zh_cn` → `zh-CN`. None when it is no tag."""
    tag = re.split(r"[.@]", tag.strip())[0].replace("_", "-")
    parts = _TAG.fullmatch(tag)
    if parts is None:
        return None
    language, script, region, rest = parts.groups()
    if script and not region and (known := _SCRIPTED.get(f"{language}-{script}".lower())):
        return known
    if not script and not region and not rest:
        return _LIKELY.get(language.lower(), language.lower())
    shaped = (language.lower(), script.title() if script else "", region.upper() if region else "")
    return "-".join(part for part in shaped if part) + rest


def is_chinese(locale: str) -> bool:
    """True when labels for this locale are the Chinese ones; every other locale gets the English ones."""
    return locale.lower().startswith("zh")
