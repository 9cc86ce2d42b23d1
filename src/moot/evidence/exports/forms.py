"""Which forms a report can be exported in, and what makes each. A form more is a line more."""

from collections.abc import Callable, Mapping

from moot.evidence.exports.bibtex import bibtex
from moot.evidence.exports.docx import docx
from moot.evidence.exports.html import html
from moot.evidence.exports.markdown import markdown
from moot.evidence.exports.pdf import pdf
from moot.evidence.exports.records import as_json, as_jsonl
from moot.values.report import Report

FORMS: Mapping[str, Callable[[Report], bytes]] = {
    "md": markdown, "html": html, "pdf": pdf, "docx": docx, "bib": bibtex, "json": as_json, "jsonl": as_jsonl,
}  # fmt: skip
"""Form → what makes it. A form is also the suffix of its file."""
