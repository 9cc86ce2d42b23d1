"""The words that the program writes around an exported report, in English and in Chinese."""

from moot.evidence.labels import label
from moot.text.language import is_chinese

_WORDS: dict[str, tuple[str, str]] = {
    "contents": ("Contents", "目录"),
    "skip": ("To the report", "跳到正文"),
    "close": ("Close", "关闭"),
    "published": ("published", "发表于"),
    "passages": ("Passages cited", "所引段落"),
    "no_passage": ("The passage is not in this file.", "此文件中没有该段落。"),
    "back": ("Back to the sentence", "回到正文"),
    "to_source": ("All of this source", "该来源的全部信息"),
    "source": ("Source", "来源"),
    "status_verified": ("verified", "已证实"),
    "status_weak": ("weak", "证据不足"),
    "status_unsupported": ("not supported", "不被支持"),
    "status_uncited": ("no source", "无出处"),
    "status_exempt": ("no claim of fact", "非事实陈述"),
    "legend": (
        "Point at a number, or move to it with Tab, to read the words it rests on.",
        "把光标移到编号上，或用 Tab 键移到编号，即可看到所依据的原文。",
    ),
    "official": ("official", "官方"),
    "primary": ("primary", "当事方"),
    "research": ("research", "学术"),
    "press": ("press", "新闻"),
    "reference": ("reference", "工具书"),
    "company": ("company", "企业"),
    "forum": ("forum", "论坛"),
    "video": ("video", "视频"),
    "social": ("social", "社交媒体"),
    "unknown": ("", ""),
}


def said(name: str, locale: str) -> str:
    """One word or sentence: Chinese for zh*, English for every other locale; those of the report itself too."""
    if name not in _WORDS:
        return label(name, locale)
    english, chinese = _WORDS[name]
    return chinese if is_chinese(locale) else english
