"""Lists the tools, or uses one by hand and prints what a model would get."""

import asyncio
import json
from dataclasses import replace

import click
from pydantic import BaseModel, ValidationError

from moot.agents.agent import AgentLimits
from moot.agents.observation import observation
from moot.app.parts import team_names, tools, tools_of
from moot.app.wiring import open_bench, tools_here
from moot.cli.command import Called, Command, command
from moot.cli.console import Console
from moot.cli.helping import flag, write_list
from moot.cli.texts import TEXTS, said
from moot.cli.width import cut, padded
from moot.text.clean import clean
from moot.toolkit.tool import Tool
from moot.toolkit.workbench import Workbench
from moot.values.errors import SettingWrong, ToolFailed


async def use(called: Called) -> int:
    """Exit 1 when the observation begins `Failed:`, 2 for an unknown tool or unfit arguments."""
    name = called.text("name")
    if not name:
        return await _listed(called)
    tool = tools().get(name)
    if tool is None:
        known = ", ".join(tools())
        raise SettingWrong(f"there is no tool {name}. There are: {known}.", chinese=f"没有工具 {name}。可用：{known}。")
    arguments = _arguments(tool, called.texts("arguments"))
    tool, served = (await tools_here([name], called.text("home")))[name]
    async with open_bench(called.text("home"), called.texts("docs")) as bench:
        observed = await _observed(tool, replace(bench, served=served), arguments)
    if called.on("json"):
        called.console.print(json.dumps({"tool": name, "observation": observed}, ensure_ascii=False))
    else:
        called.console.print(observed)
    return 1 if observed.startswith("Failed:") else 0


async def _observed(tool: Tool, bench: Workbench, arguments: BaseModel) -> str:
    why_not = tool.missing(bench)
    if why_not:
        return f"Failed: {why_not}"
    try:
        async with asyncio.timeout(tool.timeout_s):
            result = await tool.run(bench, arguments)
    except ToolFailed as failed:
        return f"Failed: {failed.message}"
    except TimeoutError:
        return f"Failed: {tool.name} took longer than {tool.timeout_s:g} s and was stopped."
    most = AgentLimits().observation_chars
    return observation(clean(result.text), result.images, remark="", most=most, whole="", last=result.last)


def _arguments(tool: Tool, given: tuple[str, ...]) -> BaseModel:
    fields = tool.arguments.model_fields
    read: dict[str, object] = {}
    for pair in given:
        key, equals, value = pair.partition("=")
        if not equals or key not in fields:
            known = ", ".join(fields)
            english = f"there is no argument {key}" if equals else "must be key=value"
            chinese = f"没有参数 {key}" if equals else "应为 key=value"
            raise SettingWrong(
                f"{pair}: {english}; the arguments of {tool.name} are {known}.",
                chinese=f"{pair}：{chinese}；{tool.name} 的参数是 {known}。",
            )
        read[key] = value if fields[key].annotation is str else _json_or_text(value)
    try:
        return tool.arguments.model_validate(read)
    except ValidationError as wrong:
        faults = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in wrong.errors())
        raise SettingWrong(
            f"the arguments of {tool.name} do not fit: {faults}.", chinese=f"{tool.name} 的参数不合：{faults}。"
        ) from wrong


def _json_or_text(value: str) -> object:
    try:
        return json.loads(value)
    except ValueError:
        return value


async def _listed(called: Called) -> int:
    granted = {name: tools_of(name) for name in team_names()}
    here = await tools_here(tools(), called.text("home"))
    async with open_bench(called.text("home"), called.texts("docs")) as bench:
        for name, (tool, served) in here.items():
            teams = [team for team, names in granted.items() if name in names]
            why_not = tool.missing(replace(bench, served=served))
            if called.on("json"):
                row = {"name": name, "effect": tool.effect, "teams": teams, "missing": why_not, "manual": tool.manual}
                called.console.print(json.dumps(row, ensure_ascii=False))
            else:
                state = called.console.say("tools.missing", why=why_not) if why_not else called.console.say("doctor.ok")
                summary = cut(summary_of(tool, zh=called.console.zh), 60)
                columns = (
                    padded(name, 12),
                    padded(tool.effect, 6),
                    padded(", ".join(teams) or "-", 12),
                    state,
                    "·",
                    summary,
                )
                called.console.print(" ".join(columns))
    return 0


def summary_of(tool: Tool, *, zh: bool) -> str:
    """What a tool does, in a line; of an added tool the first line of its manual."""
    key = f"tool.{tool.name}"
    return said(key, zh=zh) if key in TEXTS else tool.manual.partition("\n")[0]


class Tools(Command):
    """The command, whose help after a tool's name is that tool's own."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        tool = next((tools()[word] for word in args if word in tools()), None) if "--help" in args else None
        if tool is not None:
            click.echo(_help_of(tool, ctx))
            ctx.exit()
        return super().parse_args(ctx, args)


def _help_of(tool: Tool, ctx: click.Context) -> str:
    zh = isinstance(ctx.obj, Console) and ctx.obj.zh
    formatter = ctx.make_formatter()
    formatter.write_usage(f"{ctx.command_path} {tool.name}", "key=value ...", said("help.usage", zh=zh) + " ")
    formatter.write_paragraph()
    with formatter.indentation():
        formatter.write_text(summary_of(tool, zh=zh))
        formatter.write_paragraph()
        formatter.write_text(said("tools.manual", zh=zh))
        formatter.write(
            "".join(f"{'':{formatter.current_indent}}{line}".rstrip() + "\n" for line in tool.manual.splitlines())
        )
    fields = tool.arguments.model_fields.items()
    optional = said("tools.optional", zh=zh)
    rows = [
        (name, " ".join(filter(None, (field.description, "" if field.is_required() else optional))))
        for name, field in fields
    ]
    write_list(formatter, said("help.arguments", zh=zh), rows)
    return formatter.getvalue().rstrip("\n")


COMMAND = command(
    "tools",
    use,
    click.Argument(["name"], required=False, default="", metavar="[NAME"),
    click.Argument(["arguments"], nargs=-1, metavar="key=value ...]"),
    flag("--docs", texts="flag.docs", many=True, metavar="WHAT"),
    kind=Tools,
)
