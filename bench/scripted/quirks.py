"""Every quirk of the wire, by name: what is changed in a reply before it is sent. Errors are faults.py's business."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from bench.scripted import calls_in_text, changed
from bench.scripted.said import Json, Said

Framing = Literal["comments", "event_lines", "no_space", "no_blank", "crlf", "many_data_lines", "bom", "body"]
"""How chunks become lines of a stream; `body`: not at all, one plain body comes in its place."""
Ending = Literal[
    "cut", "dropped", "no_done", "no_finish", "error", "stalled", "endless", "endless_line", "endless_comments"
]


@dataclass(frozen=True, slots=True)
class Quirk:
    """What is odd about a reply. Whatever is not named stays as OpenAI sends it."""

    said: Callable[[Said], Said] | None = None
    bodies: Callable[[list[Json]], None] | None = None
    """Changes the chunks, or the one whole body, in place."""
    framing: Framing | None = None
    ending: Ending | None = None


def _text(words: Callable[[Said], str]) -> Quirk:
    """A reply that says these words, thinking included."""
    return Quirk(said=lambda said: replace(said.saying(words(said)), reasoning=()))


def _tags(opening: str, closing: str) -> Quirk:
    return _text(lambda said: f"{opening}{''.join(said.reasoning)}{closing}{said.text}")


def _pieces(pieces: Callable[[Said], tuple[str, ...]]) -> Quirk:
    return Quirk(said=lambda said: replace(said, pieces=pieces(said), reasoning=()))


def _thought_in_cut_tags(said: Said) -> tuple[str, ...]:
    whole = f"<think>{''.join(said.reasoning)}</think>{said.text}"
    return tuple(whole[at : at + 3] for at in range(0, len(whole), 3))


def _finish(reason: str) -> Quirk:
    return Quirk(said=lambda said: replace(said, finish=reason))


QUIRKS: Mapping[str, Quirk] = {
    "name_repeated": Quirk(bodies=changed.name_repeated),
    "name_prefixed": Quirk(bodies=changed.names(lambda name: f"functions.{name}")),
    "name_default_api": Quirk(bodies=changed.names(lambda name: f"default_api.{name}")),
    "name_case": Quirk(bodies=changed.names(str.title)),
    "tool_not_offered": Quirk(bodies=changed.names(lambda name: "delete_everything")),
    "id_missing": Quirk(bodies=changed.ids(lambda place: None)),
    "id_empty": Quirk(bodies=changed.ids(lambda place: "")),
    "id_same": Quirk(bodies=changed.ids(lambda place: "call_0")),
    "index_missing": Quirk(bodies=changed.index_missing),
    "index_zero": Quirk(bodies=changed.index_zero),
    "arguments_object": Quirk(bodies=changed.arguments(changed.as_object)),
    "arguments_null": Quirk(bodies=changed.arguments(lambda written: None)),
    "arguments_empty": Quirk(bodies=changed.arguments(lambda written: "")),
    "arguments_in_string": Quirk(bodies=changed.arguments(changed.in_string)),
    "arguments_in_two_strings": Quirk(bodies=changed.arguments(lambda w: changed.in_string(changed.in_string(w)))),
    "arguments_single_quotes": Quirk(bodies=changed.arguments(lambda written: repr(changed.as_object(written)))),
    "arguments_raw_newline": Quirk(bodies=changed.arguments(lambda written: written.replace("\\n", "\n"))),
    "arguments_trailing_comma": Quirk(bodies=changed.arguments(lambda written: f"{written[:-1]},}}")),
    "arguments_cut": Quirk(
        said=lambda said: replace(said, finish="length"),
        bodies=changed.arguments(lambda written: written[: len(written) // 2]),
    ),
    "content_null": Quirk(bodies=changed.content(lambda text: None)),
    "content_empty": Quirk(bodies=changed.content(lambda text: "")),
    "content_parts": Quirk(bodies=changed.content(lambda text: [{"type": "text", "text": text}])),
    "content_absent": Quirk(bodies=changed.content_absent),
    "reasoning_field": Quirk(bodies=changed.thoughts(lambda words: {"reasoning": words})),
    "reasoning_twice": Quirk(bodies=changed.thoughts(lambda words: {"reasoning": words, "reasoning_content": words})),
    "reasoning_details": Quirk(
        bodies=changed.thoughts(lambda words: {"reasoning_details": [{"type": "reasoning.text", "text": words}]})
    ),
    "thinking_blocks": Quirk(bodies=changed.thinking_blocks),
    "think_tags": _tags("<think>", "</think>"),
    "thinking_tags": _tags("<thinking>", "</thinking>"),
    "reasoning_tags": _tags("<reasoning>", "</reasoning>"),
    "think_diamonds": _tags("◁think▷", "◁/think▷"),
    "think_unopened": _tags("", "</think>"),
    "think_unclosed": _text(lambda said: f"{said.text}<think>{''.join(said.reasoning)}"),
    "think_cut_over_chunks": _pieces(_thought_in_cut_tags),
    **{f"call_as_{name}": Quirk(said=calls_in_text.written_as(form)) for name, form in calls_in_text.FORMS.items()},
    "choices_empty": Quirk(bodies=changed.choices(lambda: [])),
    "choices_absent": Quirk(bodies=changed.choices(lambda: None)),
    "stream_cut": Quirk(ending="cut"),
    "stream_dropped": Quirk(ending="dropped"),
    "stream_no_done": Quirk(ending="no_done"),
    "stream_no_finish": Quirk(ending="no_finish"),
    "stream_error": Quirk(ending="error"),
    "stream_stalled": Quirk(ending="stalled"),
    "stream_endless": Quirk(ending="endless"),
    "stream_endless_comments": Quirk(ending="endless_comments"),
    "comments": Quirk(framing="comments"),
    "event_lines": Quirk(framing="event_lines"),
    "data_no_space": Quirk(framing="no_space"),
    "data_no_blank": Quirk(framing="no_blank"),
    "crlf": Quirk(framing="crlf"),
    "many_data_lines": Quirk(framing="many_data_lines"),
    "bom": Quirk(framing="bom"),
    "plain_anyway": Quirk(framing="body"),
    "finish_length": _finish("length"),
    "finish_filter": _finish("content_filter"),
    "finish_safety": _finish("SAFETY"),
    "finish_eos": _finish("eos"),
    "refusal_field": Quirk(bodies=changed.refusal),
    "usage_absent": Quirk(said=lambda said: replace(said, usage=None)),
    "usage_null": Quirk(bodies=changed.usage_null),
    "usage_every_chunk": Quirk(bodies=changed.usage_every_chunk),
    "usage_in_choice": Quirk(bodies=changed.usage_in_choice),
    "looping_line": _text(lambda said: f"{said.text}\n" + "This line is said again and again.\n" * 300),
    "looping_block": _text(lambda said: f"{said.text}\n" + changed.LONG_BLOCK * 40),
    "looping_for_ever": Quirk(
        said=lambda said: said.saying(f"{said.text}\nThis line is said again and again.\n"), ending="endless_line"
    ),
}
"""By the name that a script's line gives it. Each is a row of what models do on the wire."""
