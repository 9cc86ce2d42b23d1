"""The double: strict at both ends, chosen by what is asked, and the same text for every cut."""

import json
from pathlib import Path

import pytest

from moot.models.port import Delta, Profile
from moot.models.scripted import Line, Request, ScriptedModel, Wanted, When, open_script, says
from moot.values.errors import ModelFailed, SettingWrong
from moot.values.messages import Message, Reply, ToolSpec
from moot.values.value import Output

ASK = (Message(role="user", text="What is it?"),)


class Answer(Output):
    a: int


async def said(
    model: ScriptedModel, *, role: str = "", messages: tuple[Message, ...] = ASK
) -> tuple[list[Delta], Reply]:
    items = [item async for item in model.stream(messages, role=role)]
    reply = items[-1]
    assert isinstance(reply, Reply)
    return [item for item in items if isinstance(item, Delta)], reply


async def test_a_request_that_no_line_expects_fails() -> None:
    model = ScriptedModel([says("hello", "planner")])
    with pytest.raises(AssertionError, match="no line expects request 1, turn 1 of role 'reporter'"):
        await said(model, role="reporter")


async def test_a_line_left_over_fails() -> None:
    model = ScriptedModel([says("one"), says("two")])
    await said(model)
    with pytest.raises(AssertionError, match="two"):
        model.assert_done()


async def test_a_line_for_any_number_of_times_may_be_left_over() -> None:
    ScriptedModel([says("ever", times=None)]).assert_done()


async def test_the_first_line_that_expects_a_request_answers_it() -> None:
    def asks_why(request: Request) -> bool:
        return "why" in request.words

    model = ScriptedModel([When(asks_why, says("because")), says("so", "planner"), Line(turn=2, text="again")])
    assert (await said(model, role="planner"))[1].text == "so"
    assert (await said(model, messages=(Message(role="user", text="why?"),)))[1].text == "because"
    before = Message(role="assistant", text="first")
    assert (await said(model, messages=(*ASK, before, *ASK)))[1].text == "again"
    model.assert_done()


async def test_words_in_the_request_choose_a_line_whatever_was_asked_before() -> None:
    lines = [Line(holds="Rome", text="Tiber"), Line(holds=("Paris", "river"), text="Seine")]
    second_process = ScriptedModel(lines)
    paris = (Message(role="user", text="Which river is in Paris?"),)
    assert (await said(second_process, messages=paris))[1].text == "Seine"


@pytest.mark.parametrize(
    "text", ["<think>a</think> b", "half</think>whole", "量子\r\n计算", "<think>open", '{"a": "\\u00e9"}', ""]
)
async def test_the_deltas_joined_are_the_reply_for_every_cut(text: str) -> None:
    whole = (await said(ScriptedModel([says(text)])))[1]
    for seed in range(64):
        deltas, reply = await said(ScriptedModel([says(text)], cuts=seed))
        thought, words = "", ""
        for delta in deltas:
            if delta.of == "rethought":
                thought, words = thought + words, ""
            elif delta.of == "text":
                words += delta.text
            else:
                thought += delta.text
        assert (words, thought) == (reply.text, reply.reasoning) == (whole.text, whole.reasoning)


async def test_usage_is_never_missing_and_an_estimate_is_marked() -> None:
    usage = (await said(ScriptedModel([says("hello there")])))[1].usage
    assert usage.estimated
    assert (usage.input, usage.output) == (7, 3)


async def test_a_value_is_given_by_finish_where_that_is_offered_and_else_as_json() -> None:
    model = ScriptedModel([says(Answer(a=1), times=2)])
    finish = ToolSpec(name="finish", description="", parameters={})
    items = [item async for item in model.stream(ASK, tools=[finish])]
    assert isinstance(items[-1], Reply)
    assert [(call.name, call.arguments) for call in items[-1].calls] == [("finish", '{"a": 1}')]
    assert items[-1].stop == "tools"
    assert (await said(model))[1].text == '{"a": 1}'


async def test_calls_keep_the_ids_and_the_bad_arguments_of_the_script() -> None:
    line = Line(calls=(Wanted(name="search", args='{"q": "x', id=""), Wanted(name="read_page")))
    calls = (await said(ScriptedModel([line])))[1].calls
    assert [(call.id, call.name, call.arguments) for call in calls] == [
        ("", "search", '{"q": "x'),
        ("c1_1", "read_page", "{}"),
    ]


async def test_an_error_comes_after_what_was_said_with_its_code() -> None:
    heard: list[str] = []
    with pytest.raises(ModelFailed) as failed:  # noqa: PT012 - what was heard before it matters
        async for item in ScriptedModel([Line(text="half of the ans", error="cut")]).stream(ASK):
            assert isinstance(item, Delta)
            heard.append(item.text)
    assert failed.value.code == "cut"
    assert heard == ["half of the ans"]


async def test_a_model_without_schemas_reads_schema_and_example_in_the_system_message() -> None:
    def prompted(request: Request) -> bool:
        return request.messages[0].role == "system" and '"a": 1' in request.words and "JSON" in request.words

    model = ScriptedModel([When(prompted, says(Answer(a=1)))])
    async for _ in model.stream(ASK, output=Answer):
        pass
    model.assert_done()
    native = ScriptedModel([says(Answer(a=1))], profile=Profile(json_schema=True))
    async for _ in native.stream(ASK, output=Answer):
        pass
    assert native.requests[0].messages == ASK


async def test_each_call_is_counted_by_its_idempotency_key_in_a_file(tmp_path: Path) -> None:
    count_path = tmp_path / "calls"
    for key in ("k1", "k2"):
        model = ScriptedModel([says("hello")], count_path=count_path)
        async for _ in model.stream(ASK, role="planner", key=key):
            pass
    assert [json.loads(line)["key"] for line in count_path.read_text().splitlines()] == ["k1", "k2"]


async def test_a_script_is_opened_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    path.write_text(json.dumps({"lines": [{"role": "planner", "text": "hello"}], "profile": {"window": 100}}))
    model = open_script(path)
    assert model.profile.window == 100
    assert (await said(model, role="planner"))[1].text == "hello"
    path.write_text('[{"text": "bare"}]')
    assert (await said(open_script(path)))[1].text == "bare"


@pytest.mark.parametrize("body", ["", "{", '[{"txt": "x"}]', '{"line": []}'])
def test_a_script_that_cannot_be_read_names_its_file(tmp_path: Path, body: str) -> None:
    path = tmp_path / "script.json"
    path.write_text(body)
    with pytest.raises(SettingWrong, match=r"script\.json"):
        open_script(path)
    with pytest.raises(SettingWrong, match="none"):
        open_script(tmp_path / "none.json")
