"""Makes a folder of documents that is to an index like a real one: the same bytes from the same seed.

Word frequencies follow Zipf and Mandelbrot, documents keep to a topic and repeat words of their own, as people's do.
The vocabulary is sized so that FTS5 alone finds known items about as often as in real text (web.md's 0.907 and 0.982).
"""

import random
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

_SYLLABLES = (
    "ba be bi bo bra bre ca ce chi cla co cra cu da de di do dra du el em en er es fa fe fi flo fo fra ga ge "
    "gla go gra ha he hi ho il im in is ja jo ka ke ki la le li lo lu ma me mi mo mu na ne ni no nu o or pa pe "
    "phi pla po pra pre ra re ri ro ru sa se sha si sla so spe sta ste stra su ta te the ti to tra tri tu un "
    "ur va ve vi vo wa we wi za ze"
).split()
_ENDS = "n r s t l d m nd nt st ng ck ly ment tion ness ing ed er al ic ous ity ist ive ant ent".split()
_SMALL = (
    "the of and to a in is that for it as was with be by on not he his but at are this have from or had an which were "
    "one they all their there been has when who will more no if out so said what up its about into than them can only"
).split()
_SMALL_ZH = (
    "的 一 是 在 了 和 有 不 人 这 中 大 为 上 个 国 我 以 要 他 时 来 们 到 说 出 会 可 也 对 与 而 及 其 之".split()
)
WORDS, WORDS_ZH, TOPICS = 40_000, 24_000, 240


class Made(NamedTuple):
    """What was made."""

    files: int
    bytes: int
    chinese: int
    """How many of the files are Chinese."""


class _Voice:
    """A language: its words by rank, and how often each is used."""

    def __init__(self, chance: random.Random, words: list[str], *, gap: str) -> None:
        self.gap = gap
        self._words = words
        self._weights = list(accumulate(1 / (rank + 2.7) ** 1.12 for rank in range(1, len(words) + 1)))
        topic = range(200, len(words))
        self._topics = [[words[at] for at in chance.sample(topic, 300)] for _ in range(TOPICS)]

    def said(self, chance: random.Random, count: int, *, topic: int, own: list[str]) -> list[str]:
        """So many words in a row: most from the language, some of the topic, some of the document's own."""
        words = chance.choices(self._words, cum_weights=self._weights, k=count)
        for at in range(count):
            draw = chance.random()
            if draw < 0.16:
                words[at] = self._topics[topic][int(300 * chance.random() ** 2)]
            elif draw < 0.20:
                words[at] = own[int(len(own) * chance.random())]
        return words

    def own(self, chance: random.Random) -> list[str]:
        """A document's own rare words: names, mostly."""
        return [self._words[chance.randrange(2_000, len(self._words))] for _ in range(12)]


def english(chance: random.Random) -> _Voice:
    """A language of made-up words that are parted by blanks."""
    words = list(_SMALL)
    seen = set(words)
    while len(words) < WORDS:
        word = "".join(chance.choices(_SYLLABLES, k=chance.choice((1, 2, 2, 3, 3, 4)))) + chance.choice(_ENDS)
        if word not in seen:
            seen.add(word)
            words.append(word)
    return _Voice(chance, words, gap=" ")


def chinese(chance: random.Random) -> _Voice:
    """A language of Chinese characters, whose words are not parted at all."""
    signs = [bytes((high, low)).decode("gb2312") for high in range(0xB0, 0xD7) for low in range(0xA1, 0xFF)]
    chance.shuffle(signs)
    weights = list(accumulate(1 / (rank + 12) ** 0.9 for rank in range(len(signs))))
    words = list(_SMALL_ZH)
    seen = set(words)
    while len(words) < WORDS_ZH:
        word = "".join(chance.choices(signs, cum_weights=weights, k=chance.choice((1, 2, 2, 2, 2, 3, 3, 4))))
        if word not in seen:
            seen.add(word)
            words.append(word)
    return _Voice(chance, words, gap="")


def make(folder: Path, *, files: int = 10_000, seed: int = 7) -> Made:
    """Writes the documents: 84 of 100 English, about 5.2 kB and 30 passages each."""
    chance = random.Random(seed)
    voices = (english(chance), chinese(chance))
    size = 0
    count = 0
    for number in range(files):
        foreign = number % 25 in (3, 9, 15, 21)  # 16 of 100
        count += foreign
        text = "\n\n".join(_document(chance, voices[foreign], number))
        path = folder / f"{number // 100:03d}" / f"{number:05d}.{'txt' if number % 10 == 7 else 'md'}"
        path.parent.mkdir(parents=True, exist_ok=True)
        body = text.encode("utf-8")
        path.write_bytes(body)
        size += len(body)
    return Made(files, size, count)


def _document(chance: random.Random, voice: _Voice, number: int) -> Iterator[str]:
    topic, own = number % TOPICS, voice.own(chance)
    yield "# " + voice.gap.join(voice.said(chance, 4, topic=topic, own=own)).title()
    left = min(int(chance.lognormvariate(8.32, 0.7)), 60_000)
    while left > 0:
        kind = chance.random()
        if kind < 0.10:
            block = "## " + voice.gap.join(voice.said(chance, 3, topic=topic, own=own)).title()
        elif kind < 0.22:
            items = (_sentence(chance, voice, 9, topic=topic, own=own) for _ in range(chance.randint(3, 6)))
            block = "\n".join(f"- {item}" for item in items)
        elif kind < 0.26:
            rows = (voice.said(chance, 3, topic=topic, own=own) for _ in range(chance.randint(3, 8)))
            lines = [f"| {' | '.join(row)} | {chance.randint(1, 9_999)} |" for row in rows]
            block = "\n".join([lines[0], "| --- | --- | --- | --- |", *lines[1:]])
        else:
            block = " ".join(_sentence(chance, voice, 15, topic=topic, own=own) for _ in range(chance.randint(1, 4)))
        yield block
        left -= len(block) * (1 if voice.gap else 3)


def _sentence(chance: random.Random, voice: _Voice, length: int, *, topic: int, own: list[str]) -> str:
    words = voice.said(chance, max(4, int(chance.gauss(length, 5))), topic=topic, own=own)
    return voice.gap.join(words).capitalize() + "." if voice.gap else "".join(words) + "。"
