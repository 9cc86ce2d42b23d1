"""What a write did to the files of the workspace: kept with its reply, and told."""

from collections.abc import Iterator

from moot.toolkit.kept_files import KeptFiles
from moot.toolkit.result import ToolResult
from moot.toolkit.workspace import shown_name
from moot.values.events import EventBody, FileChanged, Warned

_MOST_TOLD = 50
"""An installation changes thousands of files at once."""


async def with_changes(result: ToolResult, files: KeptFiles | None) -> ToolResult:
    """The result of a write with what it changed; also what changed unseen before it, in a call that was cut off."""
    manifest = await files.changed() if files else None
    return result.model_copy(update={"manifest": manifest}) if manifest else result


def changes_of(result: ToolResult | None) -> Iterator[EventBody]:
    """What is told of a result's files: they follow from what was kept, so every walk tells the same."""
    if result is None:
        return
    manifest = result.manifest
    paths = list(dict.fromkeys([*result.files, *(manifest.paths() if manifest else ())]))
    told = paths[:_MOST_TOLD]
    for path in told:
        more = len(paths) - len(told) if path == told[-1] else 0
        yield FileChanged(path=shown_name(path), more=more)
    if manifest and manifest.why:
        yield Warned(code="files_partial", message=manifest.why)
