"""A report as Markdown: as it is kept, for it names its own evidence by its hash."""

from moot.values.report import Report


def markdown(report: Report) -> bytes:
    """UTF-8, lines ended by LF."""
    return report.markdown.encode("utf-8", "replace")
