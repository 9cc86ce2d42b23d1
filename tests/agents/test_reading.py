"""Tool calls as models write them: names and arguments mended, or the exact sentence why not."""

import pytest
from pydantic import BaseModel, Field

from moot.agents.reading import read_call, wire_name, wire_names
from moot.toolkit.tool import Tool
from moot.values.messages import Call
from tests.agents.play import World


class Search(BaseModel):
    query: str
    n: int = Field(5, ge=1)


class Nothing(BaseModel):
    pass


OFFERED: dict[str, type[BaseModel]] = {"search": Search, "read_page": Search, "finish": Nothing}


def call(name: str, arguments: str = '{"query": "x"}') -> Call:
    return Call(id="c1", name=name, arguments=arguments)


@pytest.mark.parametrize(
    ("name", "wire"),
    [
        ("mcp_/opt/bin/python_str replace", "mcp_opt_bin_python_str_replace"),
        ("é", "tool_4a99557e"),
        ("search", "search"),
        ("_a__b_", "a_b"),
        ("x" * 65, "x" * 55 + "_" + "9537c5fd"),
    ],
)
def test_a_name_becomes_one_that_providers_take(name: str, wire: str) -> None:
    assert wire_name(name) == wire
    assert len(wire) <= 64


def test_two_names_that_come_out_alike_are_told_apart() -> None:
    look: Tool = World().tools()["look"]
    assert list(wire_names([look.named("a b"), look.named("a.b"), look])) == ["a_b", "a_b_2", "look"]


@pytest.mark.parametrize("written", ["functions.search", "default_api.Search", "SEARCH", "tools.search", "read-page"])
def test_a_name_that_means_one_tool_is_mended_and_noted(written: str) -> None:
    want = read_call(call(written), OFFERED)
    assert want.name == ("read_page" if "page" in written else "search")
    assert want.repaired
    assert not want.fault


@pytest.mark.parametrize("written", ["terminate", "final_answer", "Final Answer"])
def test_other_words_for_finish_mean_it(written: str) -> None:
    assert read_call(call(written, "{}"), OFFERED).name == "finish"


def test_an_unknown_tool_is_told_with_the_tools_there_are() -> None:
    known = "No tool named 'X'. Your tools: finish, read_page, search."
    assert read_call(call("X"), OFFERED).fault == known
    near = "No tool named 'serch'. Your tools: finish, read_page, search. Did you mean 'search'?"
    assert read_call(call("serch"), OFFERED).fault == near


@pytest.mark.parametrize("arguments", ['{"query": "print(\\"hi', '{"query": "x"'])
def test_arguments_cut_off_are_never_used(arguments: str) -> None:
    assert read_call(call("search", arguments), OFFERED).fault == (
        "The arguments of search were cut off before their end, so nothing was done. "
        "Send them again, shorter; write long files in parts."
    )


def test_a_call_in_which_the_reply_was_cut_is_not_used_though_it_looks_whole() -> None:
    assert "cut off" in read_call(call("search"), OFFERED, cut=True).fault


def test_arguments_that_are_no_object_are_told_by_their_beginning() -> None:
    want = read_call(call("search", "x" * 300), OFFERED)
    assert want.fault == f"The arguments of search are not a JSON object: {'x' * 120}. Nothing was done."


def test_all_faults_of_the_arguments_are_told_at_once() -> None:
    want = read_call(call("search", '{"n": true}'), OFFERED)
    assert want.fault == (
        "The arguments of search don't fit: query: missing; n: got true; should be a valid integer. Nothing was done."
    )


def test_a_number_in_a_string_fits_an_integer() -> None:
    assert read_call(call("search", '{"query": "x", "n": "3"}'), OFFERED).arguments == Search(query="x", n=3)


def test_arguments_encoded_twice_are_read() -> None:
    assert read_call(call("search", '"{\\"query\\": \\"ls\\"}"'), OFFERED).arguments == Search(query="ls")


def test_unknown_names_are_left_out_and_named() -> None:
    want = read_call(call("search", '{"query": "x", "mood": 1, "size": 2}'), OFFERED)
    assert want.arguments == Search(query="x")
    assert want.remark == "(left out, search does not know: mood, size)"


def test_arguments_are_canonical_with_defaults_filled_in() -> None:
    want = read_call(call("search", '{ "query":"量子" }'), OFFERED)
    assert want.written == '{"n":5,"query":"量子"}'
    assert want.told == {"query": "量子"}
