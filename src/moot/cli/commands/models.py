"""Tells which models there are, what is known of one, and measures one."""

import json
import sys
from collections.abc import Mapping

import click
from pydantic import JsonValue

from moot.app.abilities import Abilities, Known
from moot.app.wiring import open_house
from moot.cli.command import Called, command
from moot.cli.console import Console
from moot.cli.group import Group
from moot.cli.width import padded
from moot.models.prices import Price
from moot.models.probe import HOPED


async def listed(called: Called) -> int:
    """Every provider, or one with what is known of its models; before all, what is configured."""
    console, only = called.console, called.text("provider")
    async with open_house(called.text("home")) as house:
        abilities = Abilities(house)
        configured = {} if only else {what: abilities.show(what) for what in sorted(abilities.configured)}
        rows = abilities.providers(only)
    if called.on("json"):
        told = [{"configured": what, **_as_json(known)} for what, known in configured.items()]
        for line in (*told, *(row.model_dump(mode="json") for row in rows)):
            console.print(json.dumps(line, ensure_ascii=False))
        return 0
    if not only and not configured:
        console.tell(console.say("models.none"))
    for what, known in configured.items():
        console.print(f"{padded(what, 14)}{padded(known.name, 40)}{_key(known.key, known.key_is_set, console)}")
    for row in rows:
        key = _key(row.key, row.key_is_set, console) if row.key or not row.langchain else console.say("models.theirs")
        console.print(f"{padded(row.name, 26)}{padded(key, 34)}{row.langchain}".rstrip())
        for name in row.models if only else ():
            console.print(f"  {name}")
    return 0


async def show(called: Called) -> int:
    """What is known of a model, and by whose word; nothing is asked."""
    console = called.console
    async with open_house(called.text("home")) as house:
        known = Abilities(house).show(called.text("name"))
    if called.on("json"):
        console.print(json.dumps(_as_json(known), ensure_ascii=False))
        return 0
    console.print(f"{known.given} = {known.name}" if known.given else known.name)
    rows = {"key": _key(known.key, known.key_is_set, console), "costs": _price(known, console)}
    rows |= {"address": known.base_url} if known.base_url else {}
    rows |= {"fallback": ", ".join(known.fallback)} if known.fallback else {}
    for name, value in rows.items():
        console.print(f"  {padded(console.say(f'models.{name}'), 18)}{value}")
    for field, value in known.profile.model_dump(mode="json").items():
        console.print(f"  {padded(field, 18)}{padded(_toml(value), 24)}{known.sources[field]}")
    return 0


async def probed(called: Called) -> int:
    """Exit 1 when the model cannot be asked."""
    console, name = called.console, called.text("name")
    async with open_house(called.text("home")) as house:
        abilities = Abilities(house)
        resolved = abilities.show(name).name
        measured = await abilities.probe(name)
    profile: Mapping[str, JsonValue] = measured.profile.model_dump(mode="json")
    if called.on("json"):
        console.print(json.dumps({"name": resolved, "profile": profile, "notes": measured.notes}, ensure_ascii=False))
        return 0
    for note in measured.notes:
        console.tell(note)
    if sys.stdout.isatty():
        console.tell(console.say("models.paste"))
    console.print(f"[models.profiles.{json.dumps(resolved, ensure_ascii=False)}]")
    for field in HOPED:
        console.print(f"{field} = {_toml(profile[field])}")
    return 0


def _key(variable: str, is_set: bool, console: Console) -> str:
    if not variable:
        return console.say("models.no_key")
    return f"{variable} {console.say('models.set' if is_set else 'models.not_set')}"


def _price(known: Known, console: Console) -> str:
    price = known.price
    if price is None:
        return console.say("models.unknown", name=known.name)
    if price.is_free:
        return console.say("models.free") if known.price_source == "local" else f"0 ({known.price_source})"
    source = f"{known.price_source}, {price.date}" if price.date else known.price_source
    return console.say("models.price", **_amounts(price), currency=price.currency, source=source)


def _amounts(price: Price) -> dict[str, str]:
    cached = price.input if price.cached is None else price.cached
    return {"input": str(price.input), "cached": str(cached), "output": str(price.output)}


def _as_json(known: Known) -> dict[str, JsonValue]:
    """`price` is null where it is unknown."""
    told: dict[str, JsonValue] = known.model_dump(mode="json", exclude={"profile", "sources"})
    fields = known.profile.model_dump(mode="json")
    profile: JsonValue = {field: {"value": fields[field], "source": known.sources[field]} for field in fields}
    return {**told, "profile": profile}


def _toml(value: JsonValue) -> str:
    """A plain value as settings.toml has it, which for those is as JSON has it."""
    return json.dumps(value, ensure_ascii=False)


COMMAND = Group(
    "models",
    command(
        "list",
        listed,
        click.Argument(["provider"], required=False, default="", metavar="[PROVIDER]"),
        texts="command.models.list",
    ),
    command("show", show, click.Argument(["name"], metavar="NAME|TIER"), texts="command.models.show"),
    command("probe", probed, click.Argument(["name"], metavar="NAME|TIER"), texts="command.models.probe"),
)
