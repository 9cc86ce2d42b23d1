"""Serves a script until it is ended: `python -m bench.scripted --port N --script FILE`. Prints its base_url first.

With no script every request is answered by one short text; `--status 500` answers every one so.
"""

import argparse
import asyncio
import signal
import sys
from pathlib import Path

from bench.scripted.script import WireLine, WireScript, read_script
from bench.scripted.server import ScriptedServer


async def serve(script: WireScript, port: int) -> None:
    """Until SIGTERM or SIGINT."""
    server, ended = ScriptedServer(script), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    await server.open(port)
    print(server.base_url, flush=True)
    await ended.wait()
    await server.close()


def main() -> int:
    """0; 2 when the script cannot be read."""
    asked = argparse.ArgumentParser(prog="bench.scripted", description="A model server that says its lines.")
    asked.add_argument("--port", type=int, default=0, help="0: a free one")
    asked.add_argument("--script", type=Path, help="JSON: a script, or a list of lines")
    asked.add_argument("--status", type=int, default=200, help="of every answer, when there is no script")
    asked.add_argument("--count", default="", help="a file that gets a line for each call")
    given = asked.parse_args()
    try:
        script = read_script(given.script) if given.script else _one_line(given.status)
    except (OSError, ValueError) as wrong:
        print(f"the script {given.script} cannot be read: {wrong}", file=sys.stderr)
        return 2
    if given.count:
        script = script.model_copy(update={"count_path": given.count})
    asyncio.run(serve(script, given.port))
    return 0


def _one_line(status: int) -> WireScript:
    return WireScript(lines=(WireLine(text="I have nothing to say.", status=status, times=None),))


if __name__ == "__main__":
    sys.exit(main())
