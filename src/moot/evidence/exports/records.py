"""A report for programs: one JSON with everything, or a line for each claim that was checked."""

import json
from itertools import pairwise

from markdown_it import MarkdownIt

from moot.values.report import Report


def as_json(report: Report) -> bytes:
    """`moot.report/1`: the report as it is kept, with its sections, coverage and contradictions at the top."""
    kept = report.model_dump(mode="json")
    added = {
        "sections": sections(report),
        "coverage": [row.model_dump(mode="json") for row in report.coverage],
        "contradictions": [one.model_dump(mode="json") for one in report.contradictions],
    }
    return (json.dumps(kept | added, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "backslashreplace")


def as_jsonl(report: Report) -> bytes:
    """A line a claim, in the order of the report."""
    return "".join(claim.model_dump_json() + "\n" for claim in report.claims).encode("utf-8")


def sections(report: Report) -> list[dict[str, str | int]]:
    """Heading, level and Markdown of each section, without those beneath it; level 0 stands before the first."""
    body = report.markdown[: report.body_end] if report.body_end else report.markdown
    lines = body.splitlines(keepends=True)
    made: list[dict[str, str | int]] = [{"level": 0, "heading": "", "markdown": ""}]
    at = 0
    tokens = MarkdownIt("commonmark", {"html": False}).parse(body)
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            made[-1]["markdown"] = "".join(lines[at : token.map[0]]).strip("\n")
            made.append({"level": int(token.tag[1:]), "heading": inline.content, "markdown": ""})
            at = token.map[1]
    made[-1]["markdown"] = "".join(lines[at:]).strip("\n")
    return [section for section in made if section["level"] or section["markdown"]]
