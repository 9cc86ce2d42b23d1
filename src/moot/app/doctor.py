"""Looks at each part that a run needs, and says what is there, what is missing, and how to get it."""

import importlib.util
import os
import platform
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from moot.app.asked import named_models, named_prices
from moot.app.gather import Gathering, read_file
from moot.app.home import Home
from moot.app.parts import load, team, team_names
from moot.app.settings import Settings
from moot.app.tiers import machine_of
from moot.models.chosen import Own, readied
from moot.models.named import Named
from moot.sandbox.tiers import Wanted, choose
from moot.values.errors import SettingWrong
from moot.web.chromium import why_missing
from moot.web.search.choosing import SetUp, chosen

State = Literal["ok", "missing", "off"]


class Part(NamedTuple):
    """One part, as a person is told of it in both languages."""

    name: str
    state: State
    detail: tuple[str, str]


def examine(home: Home, environ: Mapping[str, str]) -> list[Part]:
    """Every part. `moot research --docs python` can run when none is missing."""
    return [
        _python(),
        *_database(),
        _folder(home),
        _settings(home, environ),
        _topics(),
        _langgraph(),
        _sandbox(),
        *_models(home, environ),
        *_web(home, environ),
    ]


def _python() -> Part:
    return Part("python", "ok", (platform.python_version(), platform.python_version()))


def _database() -> Iterator[Part]:
    with sqlite3.connect(":memory:") as db:
        try:
            db.execute("CREATE VIRTUAL TABLE t USING fts5(a)")
        except sqlite3.OperationalError:
            how = (
                "this Python's SQLite has no FTS5; use another build of Python",
                "此 Python 的 SQLite 不含 FTS5，请换用其他版本",
            )
            yield Part("sqlite", "missing", how)
        else:
            yield Part("sqlite", "ok", (f"{sqlite3.sqlite_version}, FTS5", f"{sqlite3.sqlite_version}，含 FTS5"))
    db.close()


def _folder(home: Home) -> Part:
    near = next(folder for folder in (home.path, *home.path.parents) if folder.exists())
    if near.is_dir() and os.access(near, os.W_OK):
        return Part("home", "ok", (str(home.path), str(home.path)))
    english = f"{home.path} cannot be written; give another with --home or MOOT_HOME"
    return Part("home", "missing", (english, f"无法写入 {home.path}，请用 --home 或 MOOT_HOME 另行指定"))


def _settings(home: Home, environ: Mapping[str, str]) -> Part:
    try:
        found = read_file(home.settings)
        gathering = Gathering(environ, found, home.settings)
        gathering.gather(Settings, {})
        options = {name: team(name).options for name in team_names()}
        gathering.check_names(options)
        for name, wanted in options.items():
            gathering.gather(wanted, {}, team=name)
    except SettingWrong as wrong:
        return Part("settings", "missing", (wrong.message, wrong.chinese or wrong.message))
    if found:
        return Part("settings", "ok", (str(home.settings), str(home.settings)))
    return Part("settings", "off", (f"no {home.settings}; moot's own apply", f"没有 {home.settings}，采用默认设置"))


def _topics() -> Part:
    if importlib.util.find_spec("pydoc_data") and importlib.util.find_spec("pydoc_data.topics"):
        return Part("docs python", "ok", ("the language reference", "语言参考手册"))
    english = "this Python lacks pydoc_data; install its whole standard library, or give --docs PATH"
    return Part("docs python", "missing", (english, "此 Python 缺少 pydoc_data；请安装完整的标准库，或用 --docs PATH"))


def _langgraph() -> Part:
    if importlib.util.find_spec("langgraph"):
        return Part("langgraph", "ok", ("walks the teams' drawings", "负责按图行走"))
    return Part("langgraph", "missing", ("pip install langgraph", "pip install langgraph"))


async def examine_sandboxes(home: Home, environ: Mapping[str, str]) -> list[Part]:
    """What a shell and full Python would run in, each tried out; a run can do without, so none is `missing`."""
    try:
        settings = Gathering(environ, read_file(home.settings), home.settings).gather(Settings, {})
    except SettingWrong:
        return []  # told by its own line
    parts = []
    for name in ("bubblewrap", "docker"):
        wanted = Wanted("bash", [name], settings.sandbox_network == "open", settings.sandbox_image)
        chosen = await choose(wanted, machine_of(environ))
        why = "; ".join(chosen.tried).removeprefix(f"{name}: ")
        english, chinese = ("a shell and full Python", "命令行与完整 Python") if chosen.tier else (why, why)
        if chosen.network:
            english, chinese = f"{english}; the network is open (sandbox.network)", f"{chinese}；网络已开放"
        parts.append(Part(name, "ok" if chosen.tier else "off", (english, chinese)))
    if settings.unsandboxed:
        english = "allowed where no sandbox works, each call asked for (sandbox.unsandboxed)"
        parts.append(Part("unsandboxed", "ok", (english, "没有可用沙箱时允许，每次调用先征得同意")))
    return parts


def _sandbox() -> Part:
    why_not = load("sandbox.monty").Monty().missing()
    if why_not:
        return Part("sandbox", "missing", (why_not, why_not))
    return Part("sandbox", "ok", ("monty: small Python, no network, no files", "monty：小型 Python，无网络，无文件"))


def _models(home: Home, environ: Mapping[str, str]) -> Iterator[Part]:
    """A line a tier or role: its model, and whether its key is set; nobody is asked whether it answers."""
    try:
        settings = Gathering(environ, read_file(home.settings), home.settings).gather(Settings, {})
        models, own = named_models(settings), Own(named_prices(settings), settings.profiles)
    except SettingWrong as wrong:
        yield Part("models", "missing", (wrong.message, wrong.chinese or wrong.message))
        return
    if not models:
        english = "none: understudies play every role; models.fast names one"
        yield Part("models", "off", (english, "未配置：各角色由替补完成；用 models.fast 指定模型"))
    for what, name in sorted(models.items()):
        yield _model(what, name, environ, own=own)


def _model(what: str, name: Named, environ: Mapping[str, str], *, own: Own) -> Part:
    try:
        first, *others = readied(what, name, environ, own=own)
    except SettingWrong as wrong:
        return Part(f"models {what}", "missing", (wrong.message, wrong.chinese or wrong.message))
    key = first.endpoint.key_name if first.endpoint else ""
    chain = "".join(f" › {other.name}" for other in others)
    english = [f"{first.name}{chain}", f"{key} is set" if key else "", "" if first.price else "price unknown"]
    chinese = [f"{first.name}{chain}", f"{key} 已设置" if key else "", "" if first.price else "价格未知"]
    return Part(f"models {what}", "ok", (" · ".join(filter(None, english)), " · ".join(filter(None, chinese))))


def _web(home: Home, environ: Mapping[str, str]) -> Iterator[Part]:
    """Which engines a run asks without --docs, and whether a page may be opened in a browser; nobody is asked."""
    try:
        settings = Gathering(environ, read_file(home.settings), home.settings).gather(Settings, {})
        engines = chosen(settings.engine, SetUp(environ, settings.web_base_urls), place="web.engines")
    except SettingWrong as wrong:
        yield Part("web", "off", (wrong.message, wrong.chinese or wrong.message))
        return
    if settings.offline or settings.web is False:
        yield Part("web", "off", ("turned off by the settings; --web turns it on", "设置中已关闭；--web 可开启"))
    else:
        names = [f"{one.name} ({one.engine.key})" if one.key else one.name for one in engines]
        yield Part("web", "ok", (", ".join(names), "、".join(names)))
    why_not = why_missing()
    if not settings.web_browser:
        yield Part("web browser", "off", ("turned off by web.browser", "已由 web.browser 关闭"))
    elif why_not:
        yield Part("web browser", "off", (why_not, why_not))
    else:
        english = "Chromium opens pages that are empty without it"
        yield Part("web browser", "ok", (english, "由 Chromium 打开离开浏览器便无内容的网页"))
