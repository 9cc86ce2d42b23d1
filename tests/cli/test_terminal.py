"""What a terminal shows: labels and statuses in colour, and nothing that a page says is taken for markup."""

import io

from rich.console import Console

from moot.cli.terminal import Terminal, coloured


def test_a_label_and_a_status_are_coloured_and_the_text_stays() -> None:
    line = "  1.1 done    5 claims · 3 sources"
    assert coloured(line).plain == line
    assert [(span.start, span.end, str(span.style)) for span in coloured(line).spans] == [(6, 10, "green")]
    spans = coloured("plan 1/2    1 step").spans
    assert [(span.start, span.end) for span in spans] == [(0, 8)]


def test_what_looks_like_markup_is_shown_as_it_is() -> None:
    written = io.StringIO()
    screen = Terminal(Console(file=written, force_terminal=False))
    screen.show("notice      [bold]not bold[/bold] [Sac36.1]")
    screen.rest()
    assert "[bold]not bold[/bold] [Sac36.1]" in written.getvalue()
