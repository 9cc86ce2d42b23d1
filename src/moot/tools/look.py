"""The tool `look`: asks a model that sees about a picture. Which model sees is the loop's to say (the port `Look`)."""

import base64

from moot.text.pictures import measured
from moot.toolkit.result import ToolResult
from moot.toolkit.tool import tool
from moot.toolkit.workbench import Workbench
from moot.toolkit.workspace import place_of
from moot.values.errors import ToolFailed
from moot.values.messages import Image

LARGEST = 5 << 20


@tool(timeout_s=300, missing=lambda bench: "" if bench.workspace is not None else "there is no workspace here")
async def look(bench: Workbench, path: str, question: str) -> ToolResult:
    """Asks about a picture: what it shows, what text it holds, whether a plot came out as meant.

    path is a picture in the workspace, such as /workspace/plot.png (PNG, JPEG, WebP or GIF, at most 5 MiB). Ask one
    thing at a time. What comes back is what a model that sees made out; it is no source.
    """
    if bench.look is None:
        raise ToolFailed("no model here can see.")

    async def read() -> Image:
        return _picture(bench, path)

    return ToolResult(text=await bench.look(path, question, read=read))


look = look.asking()


def _picture(bench: Workbench, path: str) -> Image:
    body = place_of(bench, path).read(LARGEST)
    known = measured(body)
    if known is None:
        raise ToolFailed(f"{path} is no picture: PNG, JPEG, WebP or GIF.")
    return Image(
        media_type=known.media_type, base64=base64.b64encode(body).decode(), width=known.width, height=known.height
    )
