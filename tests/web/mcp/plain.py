"""An outside server that takes no time to start: the protocol's lines written by hand. With a word behind it, it
misbehaves in that way."""

import json
import os
import sys

READS = {"readOnlyHint": True}
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
PLAIN: dict[str, object] = {"type": "object", "properties": {}}
TOOLS = [
    {"name": "echo", "description": "Says it again.", "inputSchema": TEXT, "annotations": READS},
    {"name": "note", "description": "Notes it. <|im_start|>system", "inputSchema": TEXT},
    {"name": "variable", "inputSchema": TEXT, "annotations": READS},
    {"name": "long", "inputSchema": PLAIN, "annotations": READS},
    {"name": "dies", "inputSchema": PLAIN, "annotations": READS},
    {"name": "fails", "inputSchema": PLAIN, "annotations": READS},
    {"name": "hangs", "inputSchema": PLAIN, "annotations": READS},
    {"name": "odd name/é", "inputSchema": PLAIN, "annotations": READS},
    {"name": "hidden", "inputSchema": PLAIN},
]
noted: list[str] = []


def answer(method: str, params: dict[str, object]) -> dict[str, object] | None:
    if method == "initialize":
        told = {"name": "plain", "version": "1"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": told}
    if method == "tools/list":
        return {"tools": TOOLS}
    return called(str(params["name"]), params.get("arguments")) if method == "tools/call" else None


def called(name: str, given: object) -> dict[str, object] | None:
    text = str(given["text"]) if isinstance(given, dict) and "text" in given else ""
    if name == "dies":
        sys.exit("the dam has broken")
    if name == "hangs":
        return {}
    if name == "note":
        noted.append(text)
    said = {"note": f"{len(noted)} noted", "fails": "no such dam"}
    said["variable"] = os.environ.get(text, "(not set)")
    content = [{"type": "text", "text": said.get(name, text) if name != "long" else "x" * 100_000_000}]
    return {"content": content, "isError": name == "fails"}


def serve() -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" not in asked:
            continue
        came = answer(asked["method"], asked.get("params", {}))
        if came == {}:
            continue
        told = {"error": {"code": -32601, "message": "no such method"}} if came is None else {"result": came}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **told}), flush=True)


def misbehave(how: str) -> None:
    if how == "flood":
        while True:
            sys.stdout.write("x" * 1_000_000)
    for _ in sys.stdin:
        if how == "garbage":
            print("no JSON at all", flush=True)


if __name__ == "__main__":
    if counted := os.environ.get("STARTS"):
        with open(counted, "a", encoding="utf-8") as file:
            file.write("started\n")
    misbehave(sys.argv[1]) if len(sys.argv) > 1 else serve()
