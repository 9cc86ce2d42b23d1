"""The sections that the program writes behind a draft: what did not pass, gaps, computations, coverage, sources."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from moot.evidence.classes import ORDER
from moot.evidence.labels import label
from moot.text.addresses import readable
from moot.text.marks import written_mark
from moot.values.evidence import Contradiction, CoverageRow, Side, Work
from moot.values.report import Computed, Numbered

_SIGNS = re.compile(r"([\\`\[\]<|]|\*(?=\S)|(?<=\S)\*|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))")
_FENCE = re.compile(r"`{3,}")


def section(name: str, locale: str, lines: Sequence[str]) -> str:
    """A section under its label, a list item a line; `` when there is nothing to say."""
    return f"## {label(name, locale)}\n\n" + "\n".join(f"- {line}" for line in lines) if lines else ""


def contradictions(found: Sequence[Contradiction], locale: str) -> str:
    """Both sides of each, with date, class and mark; the newer first. Nobody decides between them."""
    parts = [f"## {label('contradictions', locale)}"] if found else []
    for one in found:
        quotes = one.left.quote, one.right.quote
        told = as_said(one.subject, quotes), as_said(one.attribute, quotes), one.detail
        matter = " · ".join(shown(part) for part in dict.fromkeys(told) if part)
        head = f"- {label(one.relation, locale)}" + (f"{label('colon', locale)}{matter}" if matter else "")
        parts.append("\n".join([head, *(f"  - {_side(side, locale)}" for side in (one.left, one.right))]))
    return "\n\n".join([*parts[:1], "\n".join(parts[1:])]) if parts else ""


def as_said(found: str, quotes: Sequence[str]) -> str:
    """Words that two sentences share, as the first that has any writes them: 质保期, of its pairs 保期 and 质保."""
    for quote in quotes:
        covered: set[int] = set()
        for word in found.split():
            pattern = rf"\b{re.escape(word)}\w*" if word.isascii() else re.escape(word)
            covered.update(at for match in re.finditer(pattern, quote, re.IGNORECASE) for at in range(*match.span()))
        if covered:
            return " ".join("".join(char if at in covered else " " for at, char in enumerate(quote)).split())
    return found


def _side(side: Side, locale: str) -> str:
    source_class = label(side.source_class, locale) if side.source_class != "unknown" else ""
    known = " · ".join(filter(None, (shown(side.date), source_class)))
    return f"“{shown(side.quote)}” {side.citation}" + (f" · {known}" if known else "")


def computations(computed: Sequence[Computed], locale: str) -> str:
    """Each computation with its code, what it printed, and the marks of its inputs."""
    parts = [f"## {label('computations', locale)}"] if computed else []
    for one in computed:
        parts.append(f"{label('mark', locale)} `{written_mark(one.mark, one.version)}`")
        parts.append(f"{label('code', locale)}{label('colon', locale).rstrip()}\n\n{_fenced(one.code, 'python')}")
        parts.append(f"{label('printed', locale)}{label('colon', locale).rstrip()}\n\n{_fenced(one.printed, '')}")
        if one.inputs:
            parts.append(f"{label('inputs', locale)}{label('colon', locale)}{''.join(map(str, one.inputs))}")
    return "\n\n".join(parts)


def coverage_table(rows: Sequence[CoverageRow], locale: str) -> str:
    """How far each step was answered."""
    if not rows:
        return ""
    head = [label(name, locale) for name in ("step", "question", "claims", "status")]
    lines = [f"## {label('coverage', locale)}", "", f"| {' | '.join(head)} |", "|---|---|---|---|"]
    for row in rows:
        reason = label(row.reason, locale) if row.reason in ("one_work", "only_weak") else row.reason
        status = label(row.status, locale) + (f"{label('colon', locale)}{reason}" if reason else "")
        lines.append(f"| {row.step} | {shown(row.question)} | {row.claims} | {shown(status)} |")
    return "\n".join(lines)


def sources(works: Sequence[Work], numbered: Sequence[Numbered], locale: str) -> str:
    """The cited works by number, then what was read and not cited, folded, the weightier classes first."""
    texts: dict[str, list[Numbered]] = {}
    for one in numbered:
        texts.setdefault(one.source.address, []).append(one)
    lines = [f"- [{work.number}] {_line(work, texts, locale)}" for work in works if work.number]
    parts = [f"## {label('sources', locale)}", "\n".join(lines)] if lines else []
    uncited = sorted((work for work in works if not work.number), key=lambda work: ORDER.index(work.source_class))
    other = [f"- {_line(work, texts, locale)}" for work in uncited]
    if other:
        summary = f"<summary>{label('also_read', locale)} ({len(other)})</summary>"
        parts.append(f"<details>{summary}\n\n" + "\n".join(other) + "\n\n</details>")
    return "\n\n".join(parts)


def _line(work: Work, texts: Mapping[str, Sequence[Numbered]], locale: str) -> str:
    """Title · authors · publisher · date · class, then each address · when read · snapshot · mark of its texts."""
    known = [shown(part) for part in (work.title, ", ".join(work.authors), work.publisher, work.published)]
    known += [label(work.source_class, locale)] if work.source_class != "unknown" else []
    parts = [part for part in known if part]
    for address in work.addresses:
        parts.append(readable(address))
        for one in texts[address]:
            read, snapshot = one.source.read_at, one.source.snapshot or one.source.text_hash
            if read:
                parts.append(f"{label('read', locale)} {_time(read)}")
            parts.append(f"{label('snapshot', locale)} {snapshot[:12]}")
            parts.append(f"{label('mark', locale)} {written_mark(one.source.mark, one.source.version)}")
    return " · ".join(parts)


def _time(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M UTC" if at.utcoffset() is None or not at.utcoffset() else "%Y-%m-%d %H:%M %z")


def shown(words: str) -> str:
    """Words from outside as they may stand in a report's line: one line, no sign that Markdown or HTML would read."""
    return _SIGNS.sub(r"\\\1", " ".join(words.split()))


def _fenced(code: str, language: str) -> str:
    fence = max((match.group() for match in _FENCE.finditer(code)), key=len, default="``")
    fence = "`" * (len(fence) + 1)
    return f"{fence}{language}\n{code.rstrip()}\n{fence}"
