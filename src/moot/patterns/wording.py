"""The program's own words, in moot's two languages. Which locale is Chinese is text/language.py's to say."""

from moot.text.language import is_chinese


def worded(locale: str, english: str, chinese: str, **values: object) -> str:
    """The wording for a locale, with `{name}` filled in by value."""
    text = chinese if is_chinese(locale) else english
    for name, value in values.items():
        text = text.replace("{" + name + "}", str(value))
    return text


def listed(words: str) -> frozenset[str]:
    """The words of a list written as text, blanks between."""
    return frozenset(words.split())
