"""Briefs that have ended, and doors at which something fails."""

from dataclasses import replace

from moot.models.scripted import Line
from moot.patterns.brief.options import BriefOptions
from moot.patterns.brief.values import Report
from moot.run.doors import Doors
from moot.teams.brief import TEAM
from moot.toolkit.result import ToolResult
from moot.toolkit.tool import tool
from moot.toolkit.workbench import Workbench
from moot.values.errors import ToolFailed
from tests.teams.brief_lines import (
    DOCUMENTS,
    TOPIC,
)
from tests.teams.conftest import MakeTeam, Team

ONE = BriefOptions(questions=1, links_each=1)


async def by(make_team: MakeTeam, lines: list[Line] | None, files: dict[str, str] = DOCUMENTS, **options: int) -> Team:
    """A brief that has ended."""
    team = await make_team(lines, files=files, of=TEAM)
    await team.ask(TOPIC, options=BriefOptions.model_validate(options))
    return team


def brief_of(team: Team) -> Report:
    found = team.last["report"]
    assert isinstance(found, Report)
    return found


def without(doors: Doors, *words: str) -> Doors:
    """Doors whose search fails for these words."""
    search = doors.tools["search"]

    @tool()
    async def failing(bench: Workbench, query: str) -> ToolResult:
        """Searches, and fails for some words."""
        if query in words or not words:
            raise ToolFailed("no engine answered")
        return await search.run(bench, search.arguments(query=query))

    return replace(doors, tools={**doors.tools, "search": failing.named("search")})


def unreadable(doors: Doors, *addresses: str) -> Doors:
    """Doors at which these pages cannot be read."""
    read = doors.tools["read_page"]

    @tool()
    async def failing(bench: Workbench, address: str) -> ToolResult:
        """Reads, and fails for some addresses."""
        if address in addresses:
            raise ToolFailed("the page is a wall")
        return await read.run(bench, read.arguments(address=address))

    return replace(doors, tools={**doors.tools, "read_page": failing.named("read_page")})
