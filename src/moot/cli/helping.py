"""How `--help` looks: click's layout with our words, in English and in Chinese. Light: it imports no other room."""

from collections.abc import Sequence

import click

from moot.cli.console import Console
from moot.cli.texts import said


def is_chinese(ctx: click.Context) -> bool:
    """True when this command's words are Chinese."""
    return isinstance(ctx.obj, Console) and ctx.obj.zh


class Flag(click.Option):
    """An option whose help is in both languages: `texts` holds English and Chinese."""

    texts: tuple[str, str] = ("", "")

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        self.help = self.texts[is_chinese(ctx)]
        return super().get_help_record(ctx)


def flag(
    *names: str,
    texts: tuple[str, str] | str,
    type: click.ParamType[object] | None = None,
    many: bool = False,
    metavar: str | None = None,
    unnamed: str | None = None,
) -> Flag:
    """An option that takes a value, again and again with `many`. `texts` may be a key of cli/texts.py.

    `unnamed`: what it means when it is given without a value.
    """
    if unnamed is None:
        made = Flag(list(names), type=type or click.STRING, multiple=many, metavar=metavar)
    else:
        made = Flag(list(names), type=click.STRING, is_flag=False, flag_value=unnamed, metavar=metavar)
    made.texts = _both(texts)
    return made


def switch(*names: str, texts: tuple[str, str] | str) -> Flag:
    """An option that is there or not (or `--x/--no-x`): None when it was not named."""
    made = Flag(list(names), is_flag=True, default=None)
    made.texts = _both(texts)
    return made


def _both(texts: tuple[str, str] | str) -> tuple[str, str]:
    return (said(texts, zh=False), said(texts, zh=True)) if isinstance(texts, str) else texts


class Helped(click.Command):
    """A command whose help is in both languages."""

    texts: tuple[str, str] = ("", "")

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, said("help.usage", zh=is_chinese(ctx)) + " ")

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(self.texts[is_chinese(ctx)])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [option for option in self.get_params(ctx) if isinstance(option, click.Option)]
        records = [record for option in options if (record := option.get_help_record(ctx))]
        if records:
            with formatter.section(said("help.options", zh=is_chinese(ctx))):
                formatter.write_dl(records)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = said("help.help", zh=is_chinese(ctx))
        return option


def write_list(formatter: click.HelpFormatter, title: str, rows: Sequence[tuple[str, str]]) -> None:
    """A titled list of names with a line each."""
    if rows:
        with formatter.section(title):
            formatter.write_dl(rows)
