"""A scripted reporter that mixes true with false: documents of known facts, and sentences of five kinds about them.

`true` says what its passage says, in other words or units. `altered` changes one thing of it, `swapped` gives one
subject the figure of another, `uncited` is true and has no mark, `invented` is nowhere in what it cites.
"""

import random
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

Kind = Literal["true", "altered", "swapped", "uncited", "invented"]
KINDS: tuple[Kind, ...] = ("true", "altered", "swapped", "uncited", "invented")
FALSE: tuple[Kind, ...] = ("altered", "swapped", "invented")


class Facts(NamedTuple):
    """A paragraph of a document, and a sentence of each kind about it."""

    paragraph: str
    true: str
    altered: tuple[str, ...]
    """Each with one thing changed: a figure, date, name, unit, bound, direction or polarity."""
    swapped: str
    uncited: str
    invented: str


class Told(NamedTuple):
    """One sentence of the report. `about`: (document, paragraph) that it cites."""

    kind: Kind
    words: str
    about: tuple[int, int]


Template = Callable[[random.Random, str, str], Facts]
_ENGLISH = (
    "Halden Norvale Merrow Calder Ashby Torven Lisbrook Farrow Keldholm Wyndale Brimley Ostwick Pellworth Dunmore "
    "Severby Thornaby Hexley Marwick Yarrowby Crosswell Elmsford Garstow Inglewick Rushden"
).split()
_CHINESE = (
    "临江 青岚 云溪 松原 白石 南岭 石桥 清河 金沙 平湖 东港 长林 "
    "安澜 望海 双峰 玉泉 丰谷 龙湾 新安 柳川 桃源 永宁 崇山 秀水"
).split()
_MONTHS = "January February March April May June July August September October November December".split()


def _two(chance: random.Random, low: int, high: int) -> tuple[int, int]:
    """Two figures that no rounding takes for one another."""
    first = chance.randrange(low, high)
    second = first
    while abs(second - first) * 5 < first:
        second = chance.randrange(low, high)
    return first, second


def _dam(chance: random.Random, name: str, other: str) -> Facts:
    year, (now, then), height = chance.randrange(1961, 1999), _two(chance, 120, 900), chance.randrange(41, 180)
    held = chance.randrange(113, 989)
    return Facts(
        f"The {name} Dam was completed in {year} and can hold {held} million cubic metres of water. Its wall is "
        f"{height} metres high. The power station produced {then} gigawatt-hours in 2019 and {now} gigawatt-hours in "
        "2022.",
        f"The {name} Dam was completed in {year} and holds {held} million cubic metres of water.",
        (
            f"The {name} Dam was completed in {year} and holds {held + 300} million cubic metres of water.",
            f"The {name} Dam was completed in {year + 7} and holds {held} million cubic metres of water.",
            f"The {name} Dam was completed in {year} and holds {held} billion cubic metres of water.",
            f"The {other} Dam was completed in {year} and holds {held} million cubic metres of water.",
        ),
        f"The power station of the {name} Dam produced {then} gigawatt-hours in 2022.",
        f"The wall of the {name} Dam is {height} metres high.",
        f"The {name} Dam employs {chance.randrange(210, 980)} engineers from {other}.",
    )


def _company(chance: random.Random, name: str, other: str) -> Facts:
    now, then = _two(chance, 210, 970)
    staff = chance.randrange(1_120, 9_870)
    return Facts(
        f"{name} Holdings reported revenue of ${now} million in 2022, after ${then} million in 2020. It employs "
        f"{staff:,} people. In March the board approved the merger with {other} Group.",
        f"In 2022 {name} Holdings reported revenue of ${now} million.",
        (
            f"In March the board of {name} Holdings rejected the merger with {other} Group.",
            f"In 2022 {name} Holdings reported revenue of €{now} million.",
            f"{name} Holdings does not employ {staff:,} people.",
        ),
        f"{name} Holdings reported revenue of ${then} million in 2022.",
        f"{name} Holdings employs {staff:,} people.",
        f"{name} Holdings opened {chance.randrange(12, 88)} shops in Portugal and closed its mine in {other}.",
    )


def _survey(chance: random.Random, name: str, other: str) -> Facts:
    asked, (yes, no) = chance.randrange(1_100, 9_900), _two(chance, 21, 68)
    return Facts(
        f"Of the {asked:,} residents of {name} who were interviewed, {yes} percent supported the tunnel, while {no} "
        f"percent preferred the bridge. The interviews were held in October 2021.",
        f"In {name}, {yes} % of the residents interviewed supported the tunnel.",
        (
            f"In {name}, {yes + 3} % of the residents interviewed supported the tunnel.",
            f"In {name}, {yes} % of the residents interviewed opposed the tunnel.",
            f"In {name}, {yes} % of the residents interviewed did not support the tunnel.",
        ),
        f"In {name}, {no} % of the residents interviewed supported the tunnel.",
        f"In {name}, {asked:,} residents were interviewed in October 2021.",
        f"The ferry from {name} to {other} carries {chance.randrange(120, 990)} lorries every week.",
    )


def _town(chance: random.Random, name: str, other: str) -> Facts:
    here, there = _two(chance, 14_000, 97_000)
    area = chance.randrange(31, 290)
    return Facts(
        f"At the census of 2020 the town of {name} had {here:,} inhabitants, and the town of {other} had {there:,} "
        f"inhabitants. {name} covers {area} square kilometres.",
        f"The town of {name} had {here:,} inhabitants at the census of 2020.",
        (
            f"The town of {name} had {here:,} inhabitants at the census of 2010.",
            f"The town of {name} had more than {here + 2_000:,} inhabitants at the census of 2020.",
            f"{name} covers {area} square metres.",
        ),
        f"The town of {name} had {there:,} inhabitants at the census of 2020.",
        f"The town of {name} covers {area} square kilometres.",
        f"The cathedral of {name} has {chance.randrange(12, 60)} bells, cast by a founder from {other}.",
    )


def _museum(chance: random.Random, name: str, other: str) -> Facts:
    day, month, year = chance.randrange(11, 28), chance.randrange(12), chance.randrange(1871, 1989)
    paintings, drawings = _two(chance, 120, 990)
    return Facts(
        f"The {name} Museum opened on {day} {_MONTHS[month]} {year}. Its rooms show {paintings} paintings and "
        f"{drawings} drawings, most of them given by the {other} family.",
        f"The {name} Museum opened on {_MONTHS[month]} {day}, {year}.",
        (
            f"The {name} Museum opened on {_MONTHS[(month + 5) % 12]} {day}, {year}.",
            f"The {name} Museum closed on {_MONTHS[month]} {day}, {year}.",
        ),
        f"The rooms of the {name} Museum show {drawings} paintings.",
        f"The rooms of the {name} Museum show {paintings} paintings.",
        f"The {name} Museum lost {chance.randrange(30, 90)} statues to a fire in {other}.",
    )


def _trial(chance: random.Random, name: str, other: str) -> Facts:
    patients = chance.randrange(410, 990)
    well, ill = _two(chance, 110, 390)
    return Facts(
        f"The trial at {name} Hospital enrolled {patients} patients. Fever fell in {well} of the patients who received "
        f"the drug, and rose in {ill} of the patients who received the placebo. Dr. {other} led the study.",
        f"The trial at {name} Hospital enrolled {patients} patients.",
        (
            f"Fever rose in {well} of the patients at {name} Hospital who received the drug.",
            f"Fever did not fall in {well} of the patients at {name} Hospital who received the drug.",
            f"The trial at {name} Hospital enrolled fewer than {patients - 40} patients.",
        ),
        f"At {name} Hospital, fever rose in {well} of the patients who received the placebo.",
        f"The study at {name} Hospital enrolled {patients} patients and was led by Dr. {other}.",
        f"Nurses at {name} Hospital earn {chance.randrange(21, 49)} dollars an hour more than in {other}.",
    )


def _reservoir(chance: random.Random, name: str, other: str) -> Facts:
    year, (now, then), height = chance.randrange(1961, 1999), _two(chance, 21, 98), chance.randrange(41, 180)
    held = chance.randrange(113, 989)
    return Facts(
        f"{name}水库于{year}年建成，总库容{held}万立方米，坝高{height}米。水电站2019年发电{then}亿千瓦时，2022年发电{now}亿千瓦时。",
        f"{name}水库{year}年建成，总库容为{held}万立方米。",
        (
            f"{name}水库{year}年建成，总库容为{held + 300}万立方米。",
            f"{name}水库{year + 7}年建成，总库容为{held}万立方米。",
            f"{name}水库{year}年建成，总库容为{held}亿立方米。",
            f"{name}水库的坝高不足{height - 10}米。",
        ),
        f"{name}水库的水电站2022年发电{then}亿千瓦时。",
        f"{name}水库的坝高为{height}米。",
        f"{name}水库雇用了{chance.randrange(210, 980)}名来自{other}的工程师。",
    )


def _group(chance: random.Random, name: str, other: str) -> Facts:
    now, then = _two(chance, 21, 97)
    staff = chance.randrange(1_120, 9_870)
    return Facts(
        f"{name}集团2022年营业收入为{now}亿元，2020年营业收入为{then}亿元，现有员工{staff}人。三月，董事会批准了与{other}集团的合并方案。",
        f"2022年，{name}集团的营业收入为{now}亿元。",
        (
            f"{name}集团董事会否决了与{other}集团的合并方案。",
            f"2022年，{name}集团的营业收入为{now}亿美元。",
            f"{name}集团董事会没有批准与{other}集团的合并方案。",
        ),
        f"{name}集团2022年营业收入为{then}亿元。",
        f"{name}集团现有员工{staff}人。",
        f"{name}集团在葡萄牙新开了{chance.randrange(12, 88)}家商店，并关闭了{other}的矿山。",
    )


def _poll(chance: random.Random, name: str, other: str) -> Facts:
    asked, (yes, no) = chance.randrange(1_100, 9_900), _two(chance, 21, 68)
    return Facts(
        f"{name}市共有{asked}名居民接受访问，其中{yes}%支持修建隧道，{no}%主张架设大桥。访问于2021年10月进行。",
        f"{name}市受访居民中，{yes}%支持修建隧道。",
        (
            f"{name}市受访居民中，{yes + 3}%支持修建隧道。",
            f"{name}市受访居民中，{yes}%反对修建隧道。",
            f"{name}市受访居民中，{yes}%不支持修建隧道。",
        ),
        f"{name}市受访居民中，{no}%支持修建隧道。",
        f"{name}市有{asked}名居民于2021年10月接受访问。",
        f"从{name}到{other}的渡轮每周运送{chance.randrange(120, 990)}辆货车。",
    )


def _county(chance: random.Random, name: str, other: str) -> Facts:
    here, there = _two(chance, 14, 97)
    area = chance.randrange(310, 2_900)
    return Facts(
        f"2020年普查时，{name}县常住人口为{here}万人，{other}县常住人口为{there}万人。{name}县面积{area}平方公里。",
        f"2020年普查时，{name}县的常住人口为{here}0000人。",
        (
            f"2010年普查时，{name}县的常住人口为{here}万人。",
            f"2020年普查时，{name}县的常住人口超过{here + 5}万人。",
            f"{name}县的面积为{area}平方米。",
        ),
        f"2020年普查时，{name}县的常住人口为{there}万人。",
        f"{name}县的面积为{area}平方公里。",
        f"{name}县的古塔里有{chance.randrange(12, 60)}口铜钟，由{other}的匠人铸造。",
    )


def _gallery(chance: random.Random, name: str, other: str) -> Facts:
    day, month, year = chance.randrange(11, 28), chance.randrange(1, 13), chance.randrange(1951, 1989)
    paintings, drawings = _two(chance, 120, 990)
    return Facts(
        f"{name}博物馆于{year}年{month}月{day}日开放，展出油画{paintings}幅、素描{drawings}幅，多数由{other}家族捐赠。",
        f"{name}博物馆在{year}年{month}月{day}日开放。",
        (
            f"{name}博物馆在{year}年{(month + 4) % 12 + 1}月{day}日开放。",
            f"{name}博物馆在{year}年{month}月{day}日关闭。",
        ),
        f"{name}博物馆展出油画{drawings}幅。",
        f"{name}博物馆展出油画{paintings}幅。",
        f"{name}博物馆有{chance.randrange(30, 90)}尊雕像毁于{other}的火灾。",
    )


def _clinic(chance: random.Random, name: str, other: str) -> Facts:
    patients = chance.randrange(410, 990)
    well, ill = _two(chance, 110, 390)
    return Facts(
        f"{name}医院的试验共纳入{patients}名患者。服用新药的患者中有{well}人血压下降，服用安慰剂的患者中有{ill}人血压上升。研究由{other}大学资助。",
        f"{name}医院的试验纳入了{patients}名患者。",
        (
            f"{name}医院服用新药的患者中有{well}人血压上升。",
            f"{name}医院服用新药的患者中有{well}人血压没有下降。",
            f"{name}医院的试验纳入了不到{patients - 40}名患者。",
        ),
        f"{name}医院服用安慰剂的患者中有{well}人血压上升。",
        f"{name}医院的试验共纳入{patients}名患者，由{other}大学资助。",
        f"{name}医院护士的时薪比{other}高出{chance.randrange(21, 49)}元。",
    )


TEMPLATES: dict[str, tuple[Template, ...]] = {
    "en": (_dam, _company, _survey, _town, _museum, _trial),
    "zh": (_reservoir, _group, _poll, _county, _gallery, _clinic),
}


def facts(language: str, *, each: int = 6, seed: int = 20261130) -> list[list[Facts]]:
    """The facts of each document: one document a template, `each` paragraphs in it, every name once a document."""
    chance = random.Random(f"{language}{seed}")
    found: list[list[Facts]] = []
    for template in TEMPLATES[language]:
        names = chance.sample(_ENGLISH if language == "en" else _CHINESE, 2 * each)
        found.append([template(chance, names[2 * n], names[2 * n + 1]) for n in range(each)])
    return found


def document(facts: list[Facts], language: str) -> str:
    """The paragraphs as a document, between sentences that claim nothing the report says."""
    head = (
        "# Notes of the district\n\nWhat follows was collected by hand."
        if language == "en"
        else "# 地方志\n\n以下内容由人工收集。"
    )
    return "\n\n".join((head, *(one.paragraph for one in facts))) + "\n"


def told(facts: list[list[Facts]], *, seed: int = 7) -> list[Told]:
    """Every sentence of the report, in an order that mixes the kinds."""
    sentences = [
        Told(kind, words, (doc, n))
        for doc, paragraphs in enumerate(facts)
        for n, one in enumerate(paragraphs)
        for kind in KINDS
        for words in _of_kind(one, kind)
    ]
    random.Random(seed).shuffle(sentences)
    return sentences


def _of_kind(facts: Facts, kind: Kind) -> tuple[str, ...]:
    said: str | tuple[str, ...] = getattr(facts, kind)
    return (said,) if isinstance(said, str) else said


def draft(sentences: list[Told], mark: Callable[[tuple[int, int]], str], language: str) -> str:
    """The report as the reporter writes it: paragraphs of three sentences under headings, marks before the stop."""
    return "\n\n".join(_paragraphs(sentences, mark, language)) + "\n"


def _paragraphs(sentences: list[Told], mark: Callable[[tuple[int, int]], str], language: str) -> Iterator[str]:
    yield "# A mixture" if language == "en" else "# 混合报告"
    between = " " if language == "en" else ""
    for at in range(0, len(sentences), 3):
        if at % 30 == 0:
            yield f"## Part {at // 30 + 1}" if language == "en" else f"## 第{at // 30 + 1}部分"
        yield between.join(_marked(one, mark) for one in sentences[at : at + 3])


def _marked(told: Told, mark: Callable[[tuple[int, int]], str]) -> str:
    if told.kind == "uncited":
        return told.words
    return f"{told.words[:-1]} {mark(told.about)}{told.words[-1]}"
