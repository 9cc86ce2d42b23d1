"""The ways in which models write a tool call into their text instead of making it."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace

from bench.scripted.said import Call, Said


def _object(call: Call, name: str = "name", arguments: str = "arguments") -> str:
    return json.dumps({name: call.name, arguments: json.loads(call.arguments)}, ensure_ascii=False)


def _parameters(call: Call) -> str:
    given = json.loads(call.arguments).items()
    return "\n".join(
        f"<parameter={name}>\n{value if isinstance(value, str) else json.dumps(value)}\n</parameter>"
        for name, value in given
    )


FORMS: Mapping[str, Callable[[Call], str]] = {
    "tool_call": lambda call: f"<tool_call>\n{_object(call)}\n</tool_call>",
    "tool_call_unclosed": lambda call: f"<tool_call>\n{_object(call)}",
    "function": lambda call: f"<function={call.name}>\n{_parameters(call)}\n</function>",
    "function_in_tool_call": lambda call: (
        f"<tool_call>\n<function={call.name}>\n{_parameters(call)}\n</function>\n</tool_call>"
    ),
    "flowers": lambda call: f"✿FUNCTION✿: {call.name}\n✿ARGS✿: {call.arguments}",
    "list": lambda call: f"[TOOL_CALLS][{_object(call)}]",
    "deepseek": lambda call: (
        f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>{call.name}\n"
        f"```json\n{call.arguments}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
    ),
    "fence": lambda call: f"```json\n{_object(call)}\n```",
    "fence_tool_args": lambda call: f"```\n{_object(call, 'tool', 'args')}\n```",
    "fence_action": lambda call: f"```json\n{_object(call, 'action', 'action_input')}\n```",
    "action": lambda call: f"Action: {call.name}\nAction Input: {call.arguments}",
}
"""By name: how one call is written."""


def written_as(form: Callable[[Call], str]) -> Callable[[Said], Said]:
    """The reply with its calls written into its text, and none made."""

    def change(said: Said) -> Said:
        written = "\n".join(form(call) for call in said.calls)
        text = f"{said.text}\n{written}" if said.text else written
        return replace(said.saying(text), calls=(), finish="stop")

    return change
