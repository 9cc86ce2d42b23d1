"""Which of moot's two languages the program's own words are in: Chinese for zh locales, English for all others."""


def is_chinese(locale: str) -> bool:
    """True when the program speaks Chinese in this locale."""
    return locale.lower().startswith("zh")


def worded(locale: str, english: str, chinese: str, **values: object) -> str:
    """The wording for a locale, with `{name}` filled in by value."""
    text = chinese if is_chinese(locale) else english
    for name, value in values.items():
        text = text.replace("{" + name + "}", str(value))
    return text


def listed(words: str) -> frozenset[str]:
    """The words of a list written as text, blanks between."""
    return frozenset(words.split())
