"""`moot eval claims`: how often the claims check is right on labelled examples. Measuring is evals/claims.py's."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from moot.app.home import typed_path
from moot.cli.command import Called
from moot.cli.console import Console
from moot.cli.width import padded
from moot.evals.claims import STATUSES, Tried, as_json, mutated, passed, read_examples, tried, withstood
from moot.values.errors import SettingWrong

_AT = 14


async def claims(called: Called) -> int:
    """Exit 0 when 148 of 152 are right (that share of another file) and nothing is falsely verified, else 6."""
    path, console = called.text("file"), called.console
    try:
        examples = read_examples(typed_path(path).read_text(encoding="utf-8-sig").splitlines())
    except (OSError, UnicodeDecodeError) as why:
        raise SettingWrong(f"{path} cannot be read: {why}.", chinese=f"无法读取 {path}：{why}。") from why
    if not examples:
        raise SettingWrong(f"{path} holds no labelled claim.", chinese=f"{path} 中没有带标签的陈述。")
    found = [await tried(example) for example in (mutated(examples) if called.on("mutate") else examples)]
    if called.on("json"):
        console.print("\n".join(as_json(one) for one in found))
        console.print(json.dumps(_counts(found)))
    else:
        console.print("\n".join(_mutations(found, console) if called.on("mutate") else _lines(found, console)))
    return 0 if (withstood if called.on("mutate") else passed)(found) else 6


def _counts(found: Sequence[Tried]) -> dict[str, float]:
    return {
        "right": sum(one.is_right for one in found), "examples": len(found),
        "false_verified": sum(one.is_falsely_verified for one in found),
        "ms_per_claim": round(sum(one.ms for one in found) / max(1, len(found)), 2),
    }  # fmt: skip


def _lines(found: Sequence[Tried], console: Console) -> Iterator[str]:
    yield console.say("eval.claims.first", **_counts(found))
    for title, key in (
        ("eval.claims.status", lambda one: one.example.status),
        ("eval.claims.lang", lambda one: one.example.lang),
        ("eval.claims.kind", lambda one: one.example.kind),
    ):
        yield ""
        yield console.say(title)
        yield from _shares(found, key)
    yield ""
    yield console.say("eval.claims.table")
    yield padded("", _AT) + "".join(padded(status, _AT) for status in STATUSES)
    for label in STATUSES:
        row = Counter(one.status for one in found if one.example.status == label)
        if row:
            yield padded(label, _AT) + "".join(padded(str(row[status]), _AT) for status in STATUSES).rstrip()
    yield ""
    yield from _wrong(found, console)
    yield console.say("eval.claims.speed", ms=_counts(found)["ms_per_claim"])


def _shares(found: Sequence[Tried], key: Callable[[Tried], str]) -> Iterator[str]:
    for name in dict.fromkeys(map(key, found)):
        group = [one for one in found if key(one) == name]
        yield f"  {padded(name, 18)} {sum(one.is_right for one in group)}/{len(group)}"


def _wrong(found: Sequence[Tried], console: Console) -> Iterator[str]:
    yield console.say("eval.claims.falsely", n=sum(one.is_falsely_verified for one in found))
    yield from (f"  {one.example.id}  {one.example.claim}" for one in found if one.is_falsely_verified)
    others = [one for one in found if not one.is_right and not one.is_falsely_verified]
    yield console.say("eval.claims.wrong", n=len(others))
    for one in others:
        said = " ".join(part for part in (one.status, one.reason, one.detail) if part)
        yield f"  {one.example.id}  {one.example.status} → {said}  {one.example.claim}"


def _mutations(found: Sequence[Tried], console: Console) -> Iterator[str]:
    stayed = [one for one in found if one.status == "verified"]
    yield console.say("eval.claims.mutated", n=len(stayed), of=len(found))
    yield from (f"  {one.example.id}  {one.example.claim}" for one in stayed)
