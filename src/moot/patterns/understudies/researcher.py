"""Plays the researcher without a model: searches, reads, and quotes the sentences that answer best, word for word."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from urllib.parse import unquote, urlsplit

from moot.agents.agent import Gate, Given
from moot.patterns.lenses import lens_of
from moot.patterns.understudies.asking import Asked, asked, may_name
from moot.patterns.understudies.parts import leans
from moot.patterns.understudies.quoting import Index, Quote, Text, best_sentences
from moot.run.run import Run
from moot.text.addresses import canonical
from moot.text.scripts import cjk_share
from moot.text.words import terms
from moot.values.errors import ToolFailed
from moot.values.evidence import Citation, Shown
from moot.values.plans import Claim, Finding, Step

_MOST_TEXTS = 10
MOST_RESULTS = 20
"""That a search may be asked for."""


async def researcher(gate: Gate, given: Given) -> Finding:
    """What the sources say on one step: their own sentences, with marks; nothing when they say nothing."""
    step, most = given["step"], given["max_search_results"]
    assert isinstance(step, Step)
    assert isinstance(most, int)
    question = _question(step, topic=str(given["topic"]), first_asked=str(given["first_asked"]))
    links = given.get("links")
    read = await _linked(gate, links if isinstance(links, tuple) else (), most=most)
    read += await _read_for(gate, question, most=most, wider=step.retry_of is not None)
    read = list({shown.address: shown for shown in read}.values())
    read = read or list(gate.ledger.sources[:_MOST_TEXTS])  # out of time: what a model had read is left
    texts = [await text_of(gate.run, shown) for shown in read]
    looked_for = asked(question, names_of(read))
    quotes = best_sentences(looked_for, texts, lens=lens_of(step))
    return finding_of(question, quotes, texts, read=read)


def finding_of(question: str, quotes: Iterable[Quote], texts: list[Text], *, read: list[Shown]) -> Finding:
    """Quotes as claims, each marked; the best one stands again as the conclusion."""
    pairs = [(quote, _claim(quote, texts[quote.text], read[quote.text])) for quote in quotes]
    best = max(pairs, key=lambda pair: pair[0].score, default=None)
    return Finding(
        restated=question[:300],
        claims=tuple(claim for _, claim in pairs),
        conclusion=best[1].text if best else "",
        missing=() if pairs else (question[:300],),
    )


async def text_of(run: Run, shown: Shown) -> Text:
    """A source's text and passages, out of the evidence store."""
    store = run.doors.store
    text = await store.text(shown.text_hash)
    return Text(shown.title, name_of(shown), text, await store.passages(shown.text_hash))


def name_of(shown: Shown) -> str:
    """The last part of an address: `with` of docs://python/with."""
    return unquote(shown.address.rstrip("/").rpartition("/")[2])


def names_of(read: Iterable[Shown]) -> frozenset[str]:
    """The names of documents in lower case, without their suffix: what `the with statement` may name."""
    names = [name_of(shown).lower() for shown in read]
    return frozenset(name.rpartition(".")[0] or name for name in names)


def _question(step: Step, *, topic: str, first_asked: str) -> str:
    """What the step asks: its title (of a retry the first one's), and the topic when the title alone names nothing."""
    title = first_asked or step.title
    if lens_of(step) and topic:
        return topic
    own, of_topic = set(terms(title)), set(terms(topic))
    stands_alone = own & of_topic and not (leans(title) and own < of_topic)
    return title if stands_alone or not of_topic else f"{topic} {title}"


async def _read_for(gate: Gate, question: str, *, most: int, wider: bool) -> list[Shown]:
    """What was read for a question: the best hits of its words, and of each thing it names when there are several."""
    wanted = asked(question, may_name(question))
    query = wanted.query()
    if wider:
        seen = [await text_of(gate.run, shown) for shown in gate.ledger.sources]
        query = wanted.query(without=_rarest(wanted, seen)) or query
    read = await _searched(gate, query, most=most, known=[])
    for thing in (*(wanted.things if len(wanted.things) > 1 else ()), *_in_english(gate, question, wanted)):
        read += await _searched(gate, thing, most=min(most, _MOST_TEXTS - len(read)), known=read)
    return read


def _rarest(wanted: Asked, seen: list[Text]) -> tuple[str, ...]:
    """The term to leave out of a wider search; none when only one is left."""
    if len(wanted.terms) < 2:
        return ()
    index = Index(seen, wanted.kept)
    return (max(wanted.terms, key=lambda term: (index.rarity(term), len(term), term)),)


async def _searched(gate: Gate, query: str, *, most: int, known: list[Shown]) -> list[Shown]:
    if not query or most < 1:
        return []
    wider = {"n": min(MOST_RESULTS, 2 * most)} if gate.run.doors.web else {}  # a page may not let itself be read
    try:
        hits = (await gate.call("search", query=query, **wider)).leads
    except ToolFailed:
        return []
    read: list[Shown] = []
    seen = {shown.address for shown in known}
    turned_away: set[str] = set()
    put_off: list[str] = []
    for address in chain(in_reading_order(hits), put_off):
        if len(read) == most or canonical(address) in seen:
            continue
        if _host(address) in turned_away and address not in put_off:
            put_off.append(address)  # while it is gone through
            continue
        came = await _read(gate, address)
        turned_away |= set() if came else {_host(address)} - {""}
        read += [shown for shown in came if shown.address not in seen]
        seen |= {canonical(address), *(shown.address for shown in came)}
    return read


def in_reading_order(hits: Sequence[str]) -> list[str]:
    """Hits as they are read: documents where they stand, and of the web one page a host first."""
    turns: Counter[str] = Counter()
    places: list[int] = []
    for address in hits:
        host = _host(address)
        places.append(turns[host] if host else 0)
        turns[host] += 1
    return [hits[at] for at in sorted(range(len(hits)), key=lambda at: places[at])]


def _host(address: str) -> str:
    """A page's host; `` for a document."""
    return "" if address.startswith("docs:") else urlsplit(address).netloc


async def _linked(gate: Gate, links: Sequence[str], *, most: int) -> list[Shown]:
    """The pages that the question names."""
    if gate.run.doors.web is None:
        return []  # told as a gap
    return [shown for link in links[:most] for shown in await _read(gate, link)]


def _in_english(gate: Gate, question: str, wanted: Asked) -> tuple[str, ...]:
    """A second query for the web: the Latin names of a question in Chinese, Japanese or Korean."""
    names = [thing for thing in wanted.things if thing.isascii()]
    return (" ".join(names),) if gate.run.doors.web and names and cjk_share(question) > 0 else ()


async def _read(gate: Gate, address: str) -> tuple[Shown, ...]:
    try:
        return (await gate.call("read_page", address=address)).sources
    except ToolFailed:
        return ()


def _claim(quote: Quote, text: Text, shown: Shown) -> Claim:
    citation = str(Citation(mark=shown.mark, n=quote.n, version=shown.version))
    return Claim(text=text.text[quote.start : quote.end], marks=(citation.strip("[]"),))
