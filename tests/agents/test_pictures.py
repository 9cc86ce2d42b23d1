"""Pictures: a model that sees gets the newest two, others are told; `look` asks the model that sees."""

import base64
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from moot.agents.loop import work
from moot.models.chosen import ChosenModels
from moot.models.port import Profile
from moot.models.scripted import ScriptedModel, calls, says
from moot.prompts.render import Prompts
from moot.run.doors import Doors
from moot.toolkit.result import ToolResult
from moot.toolkit.tool import Tool, tool
from moot.toolkit.workbench import Workbench
from moot.tools.look import look
from moot.values.messages import Image
from tests.agents.play import Answer, Play, agent
from tests.conftest import MakeRun
from tests.text.test_pictures import PNG

SEES = Profile(vision=True)
DONE = says(Answer(a=1))


@tool()
async def shot(bench: Workbench, n: int) -> ToolResult:
    """Shows a picture."""
    image = Image(media_type="image/png", base64=base64.b64encode(str(n).encode()).decode(), width=1280, height=720)
    return ToolResult(text=f"page {n}", images=(image,))


def showing(*more: Tool, workspace: Path | None = None) -> Callable[[Doors], Doors]:
    """Doors of a run whose tools show pictures."""
    return lambda doors: replace(
        doors, tools={**doors.tools, **{one.name: one for one in (shot, *more)}}, workspace=workspace
    )


async def test_a_model_that_sees_gets_the_newest_two_pictures(play: Play) -> None:
    lines = [*(calls("shot", n=n) for n in (1, 2, 3)), DONE]
    played = await play(agent(["shot"]), lines, profile=SEES, change=showing())
    images = [image.base64 for message in played.model.requests[-1].messages for image in message.images]
    assert [base64.b64decode(image) for image in images] == [b"2", b"3"]


async def test_a_model_that_does_not_see_is_told_of_the_picture(play: Play) -> None:
    played = await play(agent(["shot"]), [calls("shot", n=1), DONE], change=showing())
    assert played.observations == ["page 1\n(a picture, 1280×720; ask about it with look)"]
    assert not any(message.images for message in played.model.requests[-1].messages)


async def test_look_asks_the_model_that_sees_and_is_kept_as_that_call(
    make_run: MakeRun, doors: Doors, prompts: Prompts, tmp_path: Path
) -> None:
    (tmp_path / "plot.png").write_bytes(PNG)

    async def walk(blind: ScriptedModel, sees: ScriptedModel) -> str:
        models = ChosenModels({"fast": blind, "vision": sees})
        tools = {"look": look}
        run = await make_run(doors=replace(doors, models=models, prompts=prompts, tools=tools, workspace=tmp_path))
        worked = await work(agent(["look"]), run, task="Look.")
        assert worked.calls == 1
        return worked.why

    blind = ScriptedModel([calls("look", path="/workspace/plot.png", question="What is it?"), DONE])
    sees = ScriptedModel([says("A rising line.", "look")], profile=SEES)
    first = await walk(blind, sees)
    assert [message.text for message in blind.requests[-1].messages if message.role == "tool"] == ["A rising line."]
    assert [image.width for image in sees.requests[0].messages[-1].images] == [1280]
    (tmp_path / "plot.png").unlink()
    assert await walk(ScriptedModel(), ScriptedModel(profile=SEES)) == first


async def test_without_a_model_that_sees_look_says_so(play: Play, tmp_path: Path) -> None:
    (tmp_path / "plot.png").write_bytes(PNG)
    lines = [calls("look", path="plot.png", question="What?"), DONE]
    played = await play(agent(["look"]), lines, change=showing(look, workspace=tmp_path))
    assert played.observations == ["Failed: no model here can see."]


async def test_look_reads_no_file_outside_the_workspace_and_nothing_that_is_no_picture(
    play: Play, tmp_path: Path
) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "secret.png").write_bytes(PNG)
    (tmp_path / "inside" / "a.txt").write_text("words", encoding="utf-8")
    lines = [
        calls("look", path="../secret.png", question="What?"), calls("look", path="a.txt", question="What?"),
        calls("look", path="b.png", question="What?"), DONE,
    ]  # fmt: skip
    change = showing(look, workspace=tmp_path / "inside")
    played = await play(agent(["look"]), lines, profile=SEES, change=change)
    assert played.observations == [
        "Failed: ../secret.png is outside the workspace.", "Failed: a.txt is no picture: PNG, JPEG, WebP or GIF.",
        "Failed: b.png is not there.",
    ]  # fmt: skip
