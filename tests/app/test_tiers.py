"""What sandboxes a run's tools have: by the settings, kept with the run, told by the doctor and in the audit line."""

from pathlib import Path

import pytest

from moot.app.doctor import examine_sandboxes
from moot.app.gather import Gathering
from moot.app.home import Home
from moot.app.parts import tools
from moot.app.settings import Settings
from moot.app.tiers import chosen_tiers, served_by, to_be_asked, tools_by
from moot.evidence.audit_line import audit_line
from moot.patterns.sandboxes import sandbox_remarks
from moot.run.doors import Doors
from moot.sandbox.tiers import Chosen
from moot.values.errors import SettingWrong
from moot.values.evidence import Audit

NOTHING = {"PATH": "/nonexistent"}
TRIED = ("bubblewrap: there is no bwrap here (install the package bubblewrap)", "docker: there is no docker here")


def settings(**environ: str) -> Settings:
    return Gathering(environ, {}, Path("settings.toml")).gather(Settings, {})


async def test_without_any_sandbox_the_shell_is_none_and_full_python_the_small_one() -> None:
    tiers = await chosen_tiers(settings(), {"bash", "python", "python_full", "search"}, NOTHING)
    assert {name: (one.tier, one.tried) for name, one in tiers.items()} == {
        "bash": ("", TRIED), "python": ("monty", ()), "python_full": ("monty", TRIED),
    }  # fmt: skip
    served = served_by(tiers, NOTHING)
    assert served["bash"].why_not == f"no sandbox for it works here ({'; '.join(TRIED)})"
    assert [served[name].why_not for name in ("python", "python_full")] == ["", ""]
    found = tools_by(tiers, tools())
    assert (found["python_full"].name, found["python_full"].effect) == ("python_full", "read")
    assert "small Python" in found["python_full"].manual


async def test_only_the_tools_that_a_team_is_granted_are_looked_at() -> None:
    assert set(await chosen_tiers(settings(), {"python", "search"}, NOTHING)) == {"python"}


async def test_unsandboxed_is_last_and_asks_before_every_call(tmp_path: Path) -> None:
    allowed = settings(MOOT_SANDBOX_UNSANDBOXED="true")
    assert [wanted.tiers[-1] for wanted in allowed.wanted().values()] == ["unsandboxed"] * 3
    (tmp_path / "bash").symlink_to("/bin/bash")
    tiers = await chosen_tiers(allowed, {"bash", "python"}, {"PATH": str(tmp_path)})
    assert (tiers["bash"].tier, tiers["bash"].tried, tiers["python"].tier) == ("unsandboxed", TRIED, "monty")
    assert to_be_asked(tiers) == {"bash"}
    without_bash = await chosen_tiers(allowed, {"bash"}, NOTHING)
    assert without_bash["bash"].tried[-1] == "unsandboxed: there is no bash in it"


def test_an_operator_gives_all_agents_the_full_python() -> None:
    tiers = {"python": Chosen(tier="docker", image="python:3.13")}
    found = tools_by(tiers, tools())
    assert (found["python"].name, found["python"].effect) == ("python", "write")
    assert "full Python" in found["python"].manual
    assert tools_by({}, tools()) == tools()


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("MOOT_SANDBOX_SHELL", "monty"),
        ("MOOT_SANDBOX_SHELL", "unsandboxed"),
        ("MOOT_SANDBOX_PYTHON", "chroot"),
        ("MOOT_SANDBOX_NETWORK", "yes"),
        ("MOOT_SANDBOX_UNSANDBOXED", "perhaps"),
    ],
)
def test_a_sandbox_that_there_is_not_is_refused(variable: str, value: str) -> None:
    with pytest.raises(SettingWrong, match=variable):
        settings(**{variable: value})


async def test_the_doctor_tells_what_works_and_why_not(tmp_path: Path) -> None:
    parts = await examine_sandboxes(Home(tmp_path), {**NOTHING, "MOOT_SANDBOX_UNSANDBOXED": "true"})
    assert [(part.name, part.state, part.detail[0]) for part in parts] == [
        ("bubblewrap", "off", "there is no bwrap here (install the package bubblewrap)"),
        ("docker", "off", "there is no docker here"),
        ("unsandboxed", "ok", "allowed where no sandbox works, each call asked for (sandbox.unsandboxed)"),
    ]


def test_the_audit_line_says_what_was_missing_bare_or_open(doors: Doors) -> None:
    def remarks(locale: str, **tiers: Chosen) -> tuple[str, ...]:
        return sandbox_remarks(
            Doors(doors.models, doors.prompts, doors.store, served=served_by(tiers, NOTHING)), locale
        )

    assert remarks("en-US", python=Chosen(tier="monty"), bash=Chosen(tier="bubblewrap")) == ()
    assert remarks("en-US", bash=Chosen(tried=TRIED)) == (
        f"bash was not available: no sandbox works here ({'; '.join(TRIED)})",
    )
    assert remarks("en-US", python_full=Chosen(tier="monty", tried=("docker: no",))) == (
        "python_full was the small Python (docker: no)",
    )
    assert remarks("zh-CN", bash=Chosen(tier="unsandboxed"), python=Chosen(tier="docker", network=True)) == (
        "bash 未在沙箱中运行",
        "python 的代码可以访问网络",
    )
    assert audit_line(Audit(), "en-US", "bash ran without a sandbox").endswith(" · bash ran without a sandbox")
