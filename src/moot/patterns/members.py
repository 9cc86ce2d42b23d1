"""Who may take part in a supervised team: the default members, and those that settings change or add.

A run's members are settled once, before it is begun; whatever models are told of, or may choose, is made from them.
"""

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Literal

from pydantic import Field

from moot.patterns.supervise import FINISH, REPORTER, named
from moot.values.errors import SettingWrong
from moot.values.messages import Tier
from moot.values.value import Value

Kind = Literal["researcher", "coder", "browser"]
FIXED = ("coordinate", "clarify", "search_first", "plan", "review", "supervise", "report")
"""Nodes of the team that no member may be called after."""
_MOST = 12
_NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")
_LONGEST_ORDERS = 20_000
_LOOKS_UP = frozenset({"search", "read_page"})


class Member(Value):
    """One member of a run's team."""

    name: str
    desc: str = Field("", max_length=300)
    """For people."""
    chinese: str = Field("", max_length=300)
    """The same in Chinese; `` where a person wrote it in one language."""
    desc_for_llm: str = Field("", max_length=600)
    """All that planner and supervisor are told of it."""
    is_optional: bool = True
    tier: Tier = "fast"
    tools: tuple[str, ...] = ()
    max_calls: int = Field(12, ge=1, le=100)
    """Model calls a turn."""
    orders: str = Field("", max_length=_LONGEST_ORDERS)
    """How it works, in place of the general prompt; `` for the usual."""

    @property
    def kind(self) -> Kind:
        """Whose work it does: a researcher looks things up, a coder computes, a browser does neither."""
        if _LOOKS_UP & set(self.tools):
            return "researcher"
        return "coder" if "python" in self.tools else "browser"

    def told(self, zh: bool) -> str:
        """What a person reads of it."""
        return self.chinese if zh and self.chinese else self.desc


class MemberSetting(Value):
    """What `[supervised.members.NAME]` says of one; what it leaves out stays as it is."""

    desc: str | None = Field(None, min_length=1, max_length=300)
    desc_for_llm: str | None = Field(None, min_length=1, max_length=600)
    is_optional: bool | None = None
    tier: Tier | None = None
    tools: tuple[str, ...] | None = None
    max_calls: int | None = Field(None, ge=1, le=100)
    prompt: str | None = None
    """A file; read when a run is begun."""
    orders: str | None = Field(None, max_length=_LONGEST_ORDERS)
    """What stood in that file."""


class LeftOut(Value):
    """A member that takes no part because nothing it needs works here, and why."""

    name: str
    why: str


_FILES = ("list_files", "find_in_files", "read_file", "write_file", "edit_file")
_BROWSING = (
    "browser_open", "browser_read", "browser_extract", "browser_scroll", "browser_screenshot", "browser_tabs",
    "browser_click", "browser_type", "browser_select", "browser_press", "browser_back",
)  # fmt: skip
DEFAULTS = (
    Member(
        name="researcher", desc="Looks things up: searches and reads, and quotes what it found.",
        chinese="查找资料：检索、阅读，并引用所找到的内容。",
        desc_for_llm="Gathers information by searching and reading pages and documents, and reports what they say with "
        "marks. It cannot compute, program or act on pages.",
        is_optional=False, tools=("search", "read_page", "mcp"), max_calls=12,
    ),
    Member(
        name="coder", desc="Computes and programs: arithmetic, data, files.",
        chinese="计算与编程：算术、数据、文件。",
        desc_for_llm="Programs and computes with code, and handles data and files. All arithmetic and all stock data "
        "are its work.",
        tools=("python", "bash", *_FILES), max_calls=12,
    ),
    Member(
        name="browser", desc="Acts on live pages: opens, clicks, types, scrolls.",
        chinese="操作网页：打开、点击、输入、滚动。",
        desc_for_llm="Acts on live web pages: opens, clicks, types, scrolls, searches inside a site. Slow and dear: "
        "only for direct interaction. What it brings needs no second reading.",
        tier="vision", tools=_BROWSING, max_calls=25,
    ),
    Member(
        name=REPORTER, desc="Writes the report from what the others brought, once and last.",
        chinese="根据其他成员的成果撰写报告，只写一次，最后写。",
        desc_for_llm="Writes the final report from the results; once, and last.", is_optional=False, tier="strong",
        max_calls=2,
    ),
)  # fmt: skip


def everybody(own: Mapping[str, MemberSetting]) -> tuple[Member, ...]:
    """Every member there is: the default ones as settings change them, then those that they add. The reporter is last.

    Raises SettingWrong for a name or a field that no member can have.
    """
    known = {member.name: member for member in DEFAULTS}
    for name, said in own.items():
        if name not in known:
            _check_new(name, said)
        before = known.get(name, Member(name=name))
        changes = {field: value for field, value in said if value is not None and field != "prompt"}
        if said.desc is not None:
            changes["chinese"] = ""
        known[name] = before.model_copy(update=changes)
    if len(known) > _MOST:
        raise _wrong(
            "",
            f"a team has at most {_MOST} members, not {len(known)}.",
            f"团队最多 {_MOST} 名成员，现有 {len(known)} 名。",
        )
    reporter = known.pop(REPORTER)
    return (*known.values(), reporter)


def taking_part(own: Mapping[str, MemberSetting], wanted: Sequence[str]) -> tuple[Member, ...]:
    """Who takes part: everybody, or those who are named and those who must. Raises SettingWrong naming the nearest."""
    known = everybody(own)
    names = sorted(member.name for member in known)
    wanted = [part.strip() for written in wanted for part in written.split(",") if part.strip()]
    for name in wanted:
        if named(name) not in names:
            near = get_close_matches(named(name), names, 1, 0.5) or names
            raise SettingWrong(
                f"--members {name}: the team has no such member. There is: {', '.join(near)}.",
                chinese=f"--members {name}：团队中没有这名成员。可用：{'、'.join(near)}。",
            )
    chosen = {named(name) for name in wanted}
    return tuple(member for member in known if not chosen or member.name in chosen or not member.is_optional)


def left_out(members: Sequence[Member], missing: Mapping[str, str]) -> tuple[LeftOut, ...]:
    """Those of whose tools none works here. `missing`: by every tool there is, why it cannot work; `` when it can.

    Raises SettingWrong for a member that must take part and cannot, and for a tool that there is not.
    """
    found: list[LeftOut] = []
    usual = {member.name: member.tools for member in DEFAULTS}
    for member in members:
        for tool in member.tools:
            if tool not in missing and tool not in usual.get(member.name, ()):
                near = get_close_matches(tool, sorted(missing), 1, 0.5) or sorted(missing)
                raise _wrong(
                    f"{member.name}.tools {tool}", f"there is no such tool. There is: {', '.join(near)}.",
                    f"没有这个工具。可用：{'、'.join(near)}。",
                )  # fmt: skip
        why = _why_not(member, missing)
        if why and not member.is_optional:
            raise _wrong(member.name, f"it must take part and cannot: {why}.", f"该成员必须参加，但无法工作：{why}。")
        if why:
            found.append(LeftOut(name=member.name, why=why))
    return tuple(found)


def with_orders(own: Mapping[str, MemberSetting]) -> dict[str, MemberSetting]:
    """The settings with what stands in their prompts' files. Raises SettingWrong for one that cannot be read."""
    return {name: _read(name, said) for name, said in own.items()}


def _read(name: str, said: MemberSetting) -> MemberSetting:
    if not said.prompt or said.orders is not None:
        return said
    try:
        text = Path(said.prompt).expanduser().read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as why:
        raise _wrong(f"{name}.prompt {said.prompt}", f"cannot be read: {why}.", f"无法读取：{why}。") from why
    if len(text) > _LONGEST_ORDERS:
        raise _wrong(
            f"{name}.prompt {said.prompt}", f"has {len(text):,} characters, {_LONGEST_ORDERS:,} at most.",
            f"有 {len(text):,} 个字符，最多 {_LONGEST_ORDERS:,} 个。",
        )  # fmt: skip
    return said.model_copy(update={"orders": text})


def _why_not(member: Member, missing: Mapping[str, str]) -> str:
    """Why a member cannot work here: what its first tool says; `` when one of its tools can, or it needs none."""
    if not member.tools or any(missing.get(tool) == "" for tool in member.tools):
        return ""
    return next((missing[tool] for tool in member.tools if tool in missing), f"there is no {member.tools[0]} here")


def _check_new(name: str, said: MemberSetting) -> None:
    if not _NAME.fullmatch(name):
        raise _wrong(
            name, "a name is a-z, 0-9 and _, begins with a letter, and has at most 32 characters.",
            "名称只含 a-z、0-9 与 _，以字母开头，最多 32 个字符。",
        )  # fmt: skip
    if name in FIXED or named(name) == FINISH:
        raise _wrong(name, "the team has a place of that name; choose another.", "团队已有同名节点，请换一个名称。")
    for field in ("desc", "desc_for_llm"):
        if getattr(said, field) is None:
            raise _wrong(f"{name}.{field}", "is missing: a new member needs it.", "缺少此项：新成员必须给出。")


def _wrong(where: str, english: str, chinese: str) -> SettingWrong:
    place = f"supervised.members.{where}" if where else "supervised.members"
    return SettingWrong(f"{place}: {english}", chinese=f"{place}：{chinese}")
