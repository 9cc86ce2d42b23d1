"""Members of a supervised team without a model: a page is read and not acted on, parts are looked up one by one."""

from dataclasses import replace

from moot.app.parts import tools
from moot.patterns.options import SupervisedOptions
from moot.run.doors import Doors
from moot.teams.supervised import TEAM
from moot.toolkit.result import ToolResult
from moot.toolkit.tool import tool
from moot.toolkit.workbench import Workbench
from moot.values.events import TurnEnded
from tests.teams.conftest import MakeTeam, Team

TRENDING = "# Trending\n\nToday.\n\n" + "| repository | stars |\n|---|---|\n" + "\n".join(
    f"| repo-{n} | {1_000 - n} |" for n in range(30)
)  # fmt: skip
LINK = "https://example.org/trending"


@tool(effect="read", alone=True)
async def browser_open(bench: Workbench, address: str) -> ToolResult:
    """Opens a page."""
    return ToolResult(text=f"Page: Trending, {address}")


@tool(effect="read", alone=True)
async def browser_read(bench: Workbench, from_passage: int = 1) -> ToolResult:
    """Reads the open page."""
    page = tools()["read_page"]
    read = page.arguments.model_validate({"address": "docs://docs/trending.md"})
    return await page.run(replace(bench, read_anything=True), read)


def with_browser(doors: Doors) -> Doors:
    return replace(doors, tools={**doors.tools, "browser_open": browser_open, "browser_read": browser_read})


async def asked(make_team: MakeTeam, question: str) -> Team:
    team = await make_team(files={"trending.md": TRENDING}, of=TEAM, change=with_browser)
    await team.ask(question, options=SupervisedOptions(search_first=False), links=(LINK,), web=True)
    return team


async def test_a_linked_page_is_opened_and_its_fitting_rows_are_quoted(make_team: MakeTeam) -> None:
    team = await asked(make_team, f"Open {LINK} and list the repository names with their stars")
    first = team.last["turns"][0]
    assert (first.member, first.step, first.status, first.by) == ("browser", 1, "done", "understudy")
    assert 1 <= len(first.claims) <= 20
    assert "repo-0" in first.claims[0].text
    assert "# trending.md" in first.text or "Trending" in first.text
    assert "repo-0" in await team.report()


async def test_a_click_needs_a_model_and_the_page_is_read_all_the_same(make_team: MakeTeam) -> None:
    team = await asked(make_team, f"Visit {LINK} and click the button of repository repo-3")
    first = team.last["turns"][0]
    assert (first.status, first.result.reason) == ("failed", "needs_model")
    assert first.claims
    assert first.result.sources


async def test_each_part_of_a_question_is_looked_up(make_team: MakeTeam) -> None:
    files = {
        "burj.md": "The Burj Khalifa in Dubai is 828 m tall.",
        "eiffel.md": "The Eiffel Tower in Paris was completed in 1889.",
    }
    team = await make_team(files=files, of=TEAM)
    await team.ask("How tall is the Burj Khalifa? When was the Eiffel Tower completed?")
    assert team.plans[0].steps[0].description == (
        "1. How tall is the Burj Khalifa?\n2. When was the Eiffel Tower completed?"
    )
    told = [body for body in await team.told() if isinstance(body, TurnEnded)]
    assert [(body.member, body.status, body.claims) for body in told] == [("researcher", "done", 2)]
    text = await team.report()
    assert all(quote in text for quote in files.values())


async def test_a_member_that_neither_reads_nor_computes_needs_a_model(make_team: MakeTeam) -> None:
    team = await make_team(files={"trending.md": TRENDING}, of=TEAM)  # no browser is granted any tool here
    await team.ask(f"Open {LINK} and click it", links=(LINK,))
    first = team.last["turns"][0]
    assert (first.member, first.status, first.result.reason) == ("browser", "failed", "tools_failed")
