"""The words of a document without their dress."""

from typing import assert_never

from moot.evidence.exports.document import Break, Cite, Code, Emphasis, Link, Math, Strong, Struck, Text, Word, Words


def plain(words: Words) -> str:
    """What a line says, its numbers left out."""
    return " ".join("".join(map(_plain, words)).split())


def _plain(word: Word) -> str:
    match word:
        case Text(text) | Code(text) | Math(text):
            return text
        case Emphasis(inner) | Strong(inner) | Struck(inner) | Link(_, inner):
            return plain(inner)
        case Break() | Cite():
            return " "
        case _:
            assert_never(word)
