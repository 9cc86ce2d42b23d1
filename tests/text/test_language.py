"""The locale of a question, and the one it asks for."""

import pytest

from moot.text.language import detect_locale, is_chinese, normal_locale, only_asks_for_a_locale, requested_locale


@pytest.mark.parametrize(
    "text, locale",
    [
        ("查下当前github热榜前10", "zh-CN"),
        ("What does 道 mean in Taoism?", "en-US"),
        ("What does の mean?", "en-US"),
        ("你好，什么是GIL？", "zh-CN"),
        ("作为40岁的男人，如何减肥？", "zh-CN"),
        ("日本の首都はどこですか", "ja-JP"),
        ("東京都の人口", "ja-JP"),
        ("한국의 수도는 어디입니까", "ko-KR"),
        ("Что такое ГИЛ?", "ru-RU"),
        ("Wie funktioniert der Motor und was ist das?", "de-DE"),
        ("Qu'est-ce que le GIL et comment ça marche ?", "fr-FR"),
        ("¿Cuál es la capital de Francia?", "es-ES"),
        ("Qual é a capital do Brasil e como se chama?", "pt-BR"),
        ("Qual è la capitale della Francia?", "it-IT"),
        ("Làm thế nào để có một công việc với lương cao?", "vi-VN"),
        ("What does the with statement do?", "en-US"),
        ("17 * 23", "en-US"),
        ("", "en-US"),
    ],
)
def test_a_locale_is_detected_by_script_and_function_words(text: str, locale: str) -> None:
    assert detect_locale(text) == locale


@pytest.mark.parametrize(
    "text, locale",
    [
        ("用英文回答：什么是量子计算？", "en-US"),
        ("请用英文写一份报告", "en-US"),
        ("什么是GIL？请用德语回答", "de-DE"),
        ("用英文：什么是GIL", "en-US"),
        ("answer in German: what is a GIL?", "de-DE"),
        ("Explain the GIL. Please reply to me in French.", "fr-FR"),
        ("Explain this in German", "de-DE"),
        ("Write the report in Spanish.", "es-ES"),
        ("In Chinese, please: what is a GIL?", "zh-CN"),
        ("Was ist das? Bitte antworte auf Englisch.", "en-US"),
        ("日本語で答えてください: what is a GIL?", "ja-JP"),
        ("How do you write the date in German?", None),
        ("你好用英文怎么说", None),
        ("What is the difference between answers in French and English?", None),
        ("How many people live in Chinese cities?", None),
    ],
)
def test_a_language_that_is_asked_for_is_found_and_one_asked_about_is_not(text: str, locale: str | None) -> None:
    assert requested_locale(text) == locale


@pytest.mark.parametrize(
    "tag, locale",
    [("zh", "zh-CN"), ("zh_cn", "zh-CN"), ("ZH-hans", "zh-CN"), ("zh-Hant", "zh-TW"), ("EN_gb", "en-GB"),
     ("en", "en-US"), ("de", "de-DE"), ("sr-latn-rs", "sr-Latn-RS"), ("es-419", "es-419"),
     ("en_US.UTF-8", "en-US"), ("xx", "xx"),
     ("!!", None), ("", None), ("english", None), ("e", None), ("zh-", None)],
)  # fmt: skip
def test_a_tag_is_brought_into_its_usual_form_or_refused(tag: str, locale: str | None) -> None:
    assert normal_locale(tag) == locale


def test_labels_are_chinese_for_every_chinese_locale() -> None:
    assert is_chinese("zh-CN")
    assert is_chinese("zh-TW")
    assert not is_chinese("ja-JP")


@pytest.mark.parametrize(
    "text",
    [
        "请用英文回答",
        "Please answer in German.",
        "Answer in French, please.",
        " 用中文回答，谢谢！",
        "Antworte bitte auf Deutsch.",
    ],
)
def test_words_that_only_ask_for_a_language_are_told(text: str) -> None:
    assert only_asks_for_a_locale(text)


@pytest.mark.parametrize(
    "text", ["用英文回答：什么是量子计算？", "Answer in German: what is a dam?", "What is a dam?", ""]
)
def test_a_question_with_a_wish_for_a_language_is_more_than_the_wish(text: str) -> None:
    assert not only_asks_for_a_locale(text)
