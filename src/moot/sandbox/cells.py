"""A cell of Python as text: where its last expression stands. Running it is sandbox/monty.py's business.

It is read by its tokens, never parsed or compiled here: the code is not ours, and parsers can be made to run for hours.
"""

import io
import keyword
import tokenize
from collections.abc import Iterator, Sequence
from typing import NamedTuple

VALUE = "__moot_value__"
"""The name that a cell's last value is kept under while it is shown."""


class Wrapped(NamedTuple):
    """A cell whose last expression is kept under VALUE, and how its lines have moved."""

    code: str
    moved_from: int
    """Lines after this one stand `moved_by` lower than in the cell as it was given."""
    moved_by: int


def keep_last_value(code: str) -> Wrapped | None:
    """The cell with its last expression kept under VALUE; None when it ends in a statement, or cannot be told."""
    try:
        last = _last_statement(code)
    except (tokenize.TokenError, SyntaxError, ValueError):
        return None  # not Python as this interpreter knows it: the sandbox says what is wrong, or runs it
    if last is None or not _is_expression(last):
        return None
    lines = io.StringIO(code).readlines()
    (row, column), (end_row, end_column) = last[0].start, last[-1].end
    first = lines[row - 1][:column]
    expression = lines[row - 1 : end_row]
    expression[-1] = expression[-1][:end_column]
    expression[0] = expression[0][column:]
    opening = f"\n{VALUE} = (\n" if first.strip() else f"{VALUE} = (\n"
    wrapped = "".join([*lines[: row - 1], first, opening, *expression, "\n)"])
    return Wrapped(wrapped, moved_from=row, moved_by=opening.count("\n"))


Statement = Sequence[tokenize.TokenInfo]
_OPENING = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_BLOCKS = frozenset({"if", "for", "while", "with", "try", "def", "class", "async", "elif", "else", "except", "finally"})
_BEGINS_A_VALUE = frozenset({"None", "True", "False", "not", "lambda", "await", "yield"})
_BEGINS_A_STATEMENT = (frozenset(keyword.kwlist) - _BEGINS_A_VALUE) | {"@"}
_COMPARES = frozenset({"==", "!=", "<=", ">="})


def _last_statement(code: str) -> Statement | None:
    """Tokens of the last statement, if it stands at the margin; None when the cell is empty or ends inside a block."""
    last: Statement | None = None
    for statement, in_block in _statements(code):
        last = None if in_block else statement
    return last


def _statements(code: str) -> Iterator[tuple[Statement, bool]]:
    """Each simple statement or head of a block, with whether it stands inside a block."""
    level = depth = 0
    after_colon = False
    statement: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type in (tokenize.INDENT, tokenize.DEDENT):
            level += 1 if token.type == tokenize.INDENT else -1
        elif token.type == tokenize.ERRORTOKEN:
            raise SyntaxError(token.string)
        elif token.type in (tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER):
            continue
        elif token.type == tokenize.NEWLINE or (token.string == ";" and depth == 0):
            if statement:
                yield statement, level > 0 or after_colon
                # `if a: b; c`: what follows on the line of a block is inside it.
                after_colon = token.type != tokenize.NEWLINE and (after_colon or statement[0].string in _BLOCKS)
            statement = []
        else:
            depth += _OPENING.get(token.string, 0) if token.type == tokenize.OP else 0
            statement.append(token)


def _is_expression(statement: Statement) -> bool:
    if statement[0].string in _BEGINS_A_STATEMENT:
        return False
    depth = lambdas = 0
    for token in statement:
        if token.type == tokenize.OP:
            depth += _OPENING.get(token.string, 0)
        if depth > 0:
            continue
        lambdas += token.string == "lambda"
        if token.string == ":" and lambdas == 0:
            return False  # an annotation, or `match x:`
        lambdas -= token.string == ":"
        if token.type == tokenize.OP and token.string.endswith("=") and token.string not in _COMPARES:
            return False
    return True
