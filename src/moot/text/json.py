"""Reads JSON that was meant to be JSON: typed answers and tool arguments, from models good and bad.

Where it may stand is text/json_regions.py's business, what it must fit text/fit.py's. Nothing here is for texts that
are owed as texts: a report is never read as JSON.
"""

import ast
import contextlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import json_repair
from pydantic import JsonValue

from moot.text.fit import Fitted, M, fit
from moot.text.json_regions import Region, regions, whole_items
from moot.text.thinking import split_thinking

_DROPPED = re.compile("[\x00-\x08\x0b-\x1f\x7f\u200b\u2060\ufeff]")
_WIDE = str.maketrans("｛｝［］：，", "{}[]:,")
_QUOTES = "“”„‟＂"
_ALL_QUOTES = _QUOTES + '"'
_WIDE_SIGN = re.compile(f"[{_QUOTES}｛｝［］：，]")
_TOKEN = re.compile(rf'\\.|["{_QUOTES}｛｝［］：，]', re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BAD_ESCAPE = re.compile(r'\\(?:u(?![0-9a-fA-F]{4})|[^"\\/bfnrtu])', re.DOTALL)
_LATEX_SURE = re.compile(r"\\[bf](?=[A-Za-z])")
_LATEX_REST = re.compile(
    r"\\(?:t(?:ext\w*|heta|imes|au|anh?|ilde|op|riangle\w*|herefore|frac|o)"
    r"|n(?:abla|eq?|otin|ot|eg|ewline|u|i)"
    r"|r(?:ho|ight\w*|angle|floor|ceil|brace|m))(?![A-Za-z])"
)
_COMMAND = re.compile(r"\\\\?[A-Za-z]{2,}")
_DUMPED = re.compile(
    r"""content=(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s+(?:additional_kwargs|response_metadata)=""", re.DOTALL
)


class _Refused(ValueError):
    """Not this parser's JSON."""


def read_json(
    text: str,
    output: type[M],
    *,
    shape: Callable[[JsonValue], JsonValue] | None = None,
    cut: bool = False,
    partial: bool = False,
) -> Fitted[M]:
    """The answer in a model's text: the first candidate that fits, in the earliest pass; else the nearest one's faults.

    `shape` brings known other shapes into the type's; its ValueError says why this is none. `cut`: the reply ran into
    the output limit, so what is not closed is no candidate. `partial`: then its whole items are.
    """
    said = _unwrapped(_cleaned(split_thinking(text).text))
    candidates = [region for region in dict.fromkeys(regions(said)) if region.whole or not cut]
    best: Fitted[M] | None = None
    for parsed in _parsed(candidates):
        fitted = _fitted(parsed.value, output, shape)
        if fitted.value is not None:
            return fitted._replace(notes=(*fitted.notes, *parsed.notes))
        if best is None or len(fitted.faults) < len(best.faults):
            best = fitted
    if partial and (kept := whole_items(said)) is not None:
        fitted = read_json(kept, output, shape=shape)
        if fitted.value is not None:
            return fitted._replace(notes=(*fitted.notes, "partial"))
    return best or Fitted(None, faults=("no JSON object was found",))


class Loaded(NamedTuple):
    """A tool call's arguments as they were written."""

    value: dict[str, JsonValue] | None
    """None: no JSON object."""
    cut: bool = False
    """True: it ends inside a string or bracket, so it is not to be used, repaired or not."""
    repaired: bool = False


def read_arguments(text: str) -> Loaded:
    """A tool call's arguments: `` and null are {}, a string that holds JSON is opened twice, flaws are repaired."""
    said = _cleaned(text).strip()
    for _ in range(2):
        inner = _string(said)
        if inner is None:
            break
        said = inner.strip()
    if said in ("", "null", "None"):
        return Loaded({})
    found = list(regions(said))
    if found and not found[0].whole:
        return Loaded(None, cut=True)
    for parsed in _parsed(found):
        if isinstance(parsed.value, dict):
            return Loaded(parsed.value, repaired=bool(parsed.notes) or parsed.region.text != said)
    return Loaded(None)


def strict(text: str) -> JsonValue:
    """JSON by the letter, but that the backslashes of LaTeX are read as such. Raises ValueError."""
    value: JsonValue = json.loads(_with_latex(text), parse_constant=_refuse)
    return value


def _fitted(raw: JsonValue, output: type[M], shape: Callable[[JsonValue], JsonValue] | None) -> Fitted[M]:
    if shape is not None:
        try:
            raw = shape(raw)
        except ValueError as wrong:
            return Fitted(None, faults=(str(wrong),))
    return fit(raw, output, whole=False)


class _Parsed(NamedTuple):
    """What a parser made of a region."""

    value: JsonValue
    region: Region
    repaired: bool

    @property
    def notes(self) -> tuple[str, ...]:
        return ("repaired",) * self.repaired + ("truncated",) * (not self.region.whole)


def _parsed(candidates: Sequence[Region]) -> Iterator[_Parsed]:
    """Everything that can be read in any candidate, in passes over all: by the letter, with signs mended, repaired."""
    for parse in (strict, _mended, _repaired):
        for region in (candidate for candidate in candidates if not candidate.deep):
            with contextlib.suppress(ValueError, RecursionError):
                yield _Parsed(parse(region.text), region, parse is not strict)


def _mended(text: str) -> JsonValue:
    return strict(_with_escapes(_with_narrow_signs(text)))


def _repaired(text: str) -> JsonValue:
    mended = _with_escapes(_with_narrow_signs(text))
    value: JsonValue = json.loads(json_repair.repair_json(mended, skip_json_loads=True, ensure_ascii=False))
    if value in ("", [], {}):
        raise _Refused("nothing was left")
    return value


def _cleaned(text: str) -> str:
    """Without byte-order marks, zero-width blanks and control characters. (Joiners stay: they are part of words.)"""
    return _DROPPED.sub("", text)


def _unwrapped(text: str) -> str:
    """The content of a dumped message, where the text is one."""
    stripped = text.strip()
    dumped = _DUMPED.match(stripped)
    if dumped:
        content: object = ast.literal_eval(dumped["text"])
        return content if isinstance(content, str) else text
    if not stripped.startswith("{") or '"content"' not in stripped:
        return text
    try:
        message: JsonValue = json.loads(stripped)
    except (ValueError, RecursionError):
        return text
    if not isinstance(message, dict) or not message.keys() & {"additional_kwargs", "response_metadata"}:
        return text
    return split_thinking(_content(message.get("content"))).text


def _content(content: JsonValue) -> str:
    parts = content if isinstance(content, list) else [content]
    texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
    return "".join(part for part in texts if isinstance(part, str))


def _string(text: str) -> str | None:
    if not (text.startswith('"') and text.endswith('"') and len(text) > 1):
        return None
    try:
        inner: JsonValue = json.loads(text, strict=False)
    except ValueError:
        return None
    return inner if isinstance(inner, str) else None


def _with_narrow_signs(text: str) -> str:
    """Full-width signs and typographic quotes made plain outside strings; inside a string nothing is touched."""
    if not _WIDE_SIGN.search(text):
        return text
    made, place, opener = list[str](), 0, ""
    for token in _TOKEN.finditer(text):
        made.append(text[place : token.start()])
        place, sign = token.end(), token[0]
        if not opener:
            opener = sign if sign in _ALL_QUOTES else ""
            made.append('"' if opener else sign.translate(_WIDE))
        elif sign == '"' if opener == '"' else sign in _QUOTES:
            opener = ""
            made.append('"')
        else:
            made.append('\\"' if sign == '"' else sign)
    return "".join((*made, text[place:]))


def _with_escapes(text: str) -> str:
    """Backslashes that escape nothing, doubled."""
    if "\\" not in text:
        return text
    return _STRING.sub(lambda string: _BAD_ESCAPE.sub(lambda bad: "\\" + bad[0], string[0]), text)


def _with_latex(text: str) -> str:
    """The backslashes of LaTeX commands that JSON would read as escapes, doubled."""
    if "\\" not in text:
        return text
    return _STRING.sub(_latex_string, text)


def _latex_string(string: re.Match[str]) -> str:
    words = string[0].replace("\\\\", "\x00\x00")  # a doubled backslash escapes nothing after it
    commands = len(_COMMAND.findall(string[0]))
    words, sure = _LATEX_SURE.subn(r"\\\g<0>", words)
    if "$" in words or sure or commands > 1:
        words = _LATEX_REST.sub(r"\\\g<0>", words)
    return words.replace("\x00\x00", "\\\\")


def _refuse(constant: str) -> JsonValue:
    raise _Refused(f"{constant} is no JSON")
