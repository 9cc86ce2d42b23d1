"""The keyworder and the decomposer without a model."""

import pytest

from moot.patterns.understudies.topics import aspects, sides


@pytest.mark.parametrize(
    ("topic", "found"),
    [
        ("特斯拉FSD vs 华为ADS", ("特斯拉FSD", "华为ADS")),
        ("Tesla FSD vs. Huawei ADS.", ("Tesla FSD", "Huawei ADS")),
        ("Tesla FSD versus Huawei ADS versus others?", ("Tesla FSD", "Huawei ADS")),
        ("Python compared with Go", ("Python", "Go")),
        ("Python compared to Go", ("Python", "Go")),
        ("特斯拉FSD对比华为ADS", ("特斯拉FSD", "华为ADS")),
        ("特斯拉FSD相比华为ADS", ("特斯拉FSD", "华为ADS")),
        ("苹果和橘子有什么区别？", ("苹果", "橘子")),
        ("微服务与单体的差异", ("微服务", "单体")),
        ("安卓跟鸿蒙哪个好用", ("安卓", "鸿蒙")),
        ("华为与小米", ("华为与小米",)),
        ("deep learning!", ("deep learning",)),
        ("canvas of the vs", ("canvas of the vs",)),
        ("?", ("?",)),
        ("x" * 300, ("x" * 80,)),
    ],
)
def test_two_sides_of_a_topic_are_the_keywords_else_the_topic(topic: str, found: tuple[str, ...]) -> None:
    assert sides(topic) == found


def test_two_sides_are_asked_for_in_four_aspects() -> None:
    assert aspects("Tesla FSD vs Huawei ADS", "en-US") == (
        "Tesla FSD vs Huawei ADS: features", "Tesla FSD vs Huawei ADS: safety and rules",
        "Tesla FSD vs Huawei ADS: use in practice", "Tesla FSD vs Huawei ADS: outlook",
    )  # fmt: skip
    assert aspects("特斯拉FSD vs 华为ADS", "zh-CN") == (
        "特斯拉FSD vs 华为ADS：功能对比", "特斯拉FSD vs 华为ADS：安全与合规", "特斯拉FSD vs 华为ADS：实际使用",
        "特斯拉FSD vs 华为ADS：发展前景",
    )  # fmt: skip


def test_one_thing_is_asked_for_in_four_aspects() -> None:
    assert aspects("the GIL", "en-US") == (
        "What is the GIL and how does it work", "the GIL: current state and figures",
        "the GIL: limits, risks and criticism", "the GIL: outlook",
    )  # fmt: skip
    assert aspects("量子计算", "zh-CN") == (
        "量子计算是什么，如何运作", "量子计算：现状与数据", "量子计算：局限、风险与争议", "量子计算：发展前景",
    )  # fmt: skip


@pytest.mark.parametrize(("topic", "locale"), [("How does the GIL work?", "en-US"), ("GIL 是什么？", "zh-CN")])
def test_a_question_is_its_own_first_sub_question(topic: str, locale: str) -> None:
    assert aspects(topic, locale)[0] == topic
    assert len(aspects(topic, locale)) == 4
