"""Why a document or page cannot be read, and what a foreign parser may raise on a hostile one."""

PARSER_FAULTS: tuple[type[Exception], ...] = (
    ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, OSError, RuntimeError, SyntaxError,
    TypeError, ValueError,
)  # fmt: skip
"""Parsers that we did not write fail in all these ways on broken files."""


class Unreadable(Exception):
    """This file or page has no text for us: `code` for programs, `reason` for people. Never a run's end."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(f"{code}: {reason}")
        self.code = code
        self.reason = reason


class Refused(Unreadable):
    """An address that is not opened: nothing was sent anywhere. `code` is the guard's (docs: errors)."""
