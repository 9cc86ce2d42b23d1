"""Who takes part in a supervised team: by default, by settings, by name; and who is refused."""

from pathlib import Path

import pytest

from moot.patterns.members import DEFAULTS, MemberSetting, everybody, left_out, taking_part, with_orders
from moot.values.errors import SettingWrong

LIBRARIAN = MemberSetting(desc="Finds books.", desc_for_llm="finds books", tools=("search",))
HERE = {"search": "", "read_page": "", "python": ""}


def names(wanted: tuple[str, ...] = (), own: dict[str, MemberSetting] | None = None) -> list[str]:
    return [member.name for member in taking_part(own or {}, wanted)]


def test_everybody_takes_part_and_the_reporter_is_last() -> None:
    assert names() == ["researcher", "coder", "browser", "reporter"]


def test_those_who_must_are_in_named_or_not() -> None:
    assert names(("coder",)) == ["researcher", "coder", "reporter"]
    assert names(("coder, Browser",)) == ["researcher", "coder", "browser", "reporter"]
    assert names(("Coder", "BROWSER")) == ["researcher", "coder", "browser", "reporter"]


def test_settings_add_one_and_change_one() -> None:
    own = {"librarian": LIBRARIAN, "coder": MemberSetting(max_calls=4, desc="Counts.")}
    members = {member.name: member for member in everybody(own)}
    assert list(members) == ["researcher", "coder", "browser", "librarian", "reporter"]
    assert (members["coder"].max_calls, members["coder"].told(True)) == (4, "Counts.")
    assert members["coder"].desc_for_llm == DEFAULTS[1].desc_for_llm
    assert members["librarian"].kind == "researcher"


@pytest.mark.parametrize(
    ("tools", "kind"),
    [(("search", "python"), "researcher"), (("read_page",), "researcher"), (("python", "bash"), "coder"),
     (("bash",), "browser"), ((), "browser")],
)  # fmt: skip
def test_a_member_works_as_its_tools_say(tools: tuple[str, ...], kind: str) -> None:
    own = LIBRARIAN.model_copy(update={"tools": tools})
    assert everybody({"one": own})[3].kind == kind


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(SettingWrong, match=r"--members writer: .*There is: reporter") as wrong:
        names(("researcher", "writer"))
    assert "可用：reporter" in wrong.value.chinese


@pytest.mark.parametrize("name", ["plan", "report", "coordinate", "finish", "end", "done", "Loud", "9x", "a" * 33, "é"])
def test_a_name_that_no_member_can_have_is_refused(name: str) -> None:
    with pytest.raises(SettingWrong, match=rf"supervised\.members\.{name}"):
        everybody({name: LIBRARIAN})


@pytest.mark.parametrize("field", ["desc", "desc_for_llm"])
def test_a_new_member_needs_to_be_described(field: str) -> None:
    with pytest.raises(SettingWrong, match=f"librarian.{field}"):
        everybody({"librarian": LIBRARIAN.model_copy(update={field: None})})


def test_twelve_members_are_enough() -> None:
    own = {f"one_{n}": LIBRARIAN for n in range(8)}
    assert len(everybody(own)) == 12
    with pytest.raises(SettingWrong, match="at most 12 members, not 13"):
        everybody({**own, "more": LIBRARIAN})


def test_an_optional_member_that_cannot_work_here_is_left_out_with_its_reason() -> None:
    out = left_out(everybody({}), {**HERE, "browser_open": "there is no browser here"})
    assert [(one.name, one.why) for one in out] == [("browser", "there is no browser here")]


def test_a_member_one_of_whose_tools_works_is_in() -> None:
    assert [one.name for one in left_out(everybody({}), {**HERE, "bash": "no sandbox"})] == ["browser"]


def test_a_member_that_must_and_cannot_is_refused() -> None:
    with pytest.raises(SettingWrong, match="coder: it must take part and cannot: no sandbox"):
        left_out(everybody({"coder": MemberSetting(is_optional=False)}), {**HERE, "python": "no sandbox"})


def test_an_unknown_tool_is_refused_with_the_nearest() -> None:
    own = {"librarian": LIBRARIAN.model_copy(update={"tools": ("serch",)})}
    with pytest.raises(SettingWrong, match=r"librarian\.tools serch: there is no such tool\. There is: search"):
        left_out(everybody(own), HERE)


def test_a_prompt_is_read_out_of_its_file_once(tmp_path: Path) -> None:
    path = tmp_path / "orders.md"
    path.write_text("Be brief.", encoding="utf-8")
    read = with_orders({"librarian": LIBRARIAN.model_copy(update={"prompt": str(path)})})
    path.unlink()
    assert with_orders(read)["librarian"].orders == "Be brief."
    assert everybody(read)[3].orders == "Be brief."


def test_a_prompt_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingWrong, match=r"librarian\.prompt .*cannot be read"):
        with_orders({"librarian": LIBRARIAN.model_copy(update={"prompt": str(tmp_path / "no.md")})})
