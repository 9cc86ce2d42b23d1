"""A report for programs."""

import json

from moot.evidence.exports.markdown import markdown
from moot.evidence.exports.records import as_json, as_jsonl, sections
from moot.values.evidence import Checked
from moot.values.report import Report


async def test_the_json_has_all_that_its_contract_names(report: Report) -> None:
    given = json.loads(as_json(report))
    assert given["format"] == "moot.report/1"
    assert {"sections", "claims", "sources", "works", "contradictions", "coverage", "audit"} <= set(given)
    assert given["markdown"] == report.markdown
    assert [row["step"] for row in given["coverage"]] == ["1.1"]
    assert [one["words"] for one in given["quotes"]] == [quote.words for quote in report.quotes]
    assert Report.model_validate({name: given[name] for name in Report.model_fields}) == report


async def test_sections_are_the_report_cut_at_its_headings(english: Report) -> None:
    made = sections(english)
    assert [(one["level"], one["heading"]) for one in made] == [
        (1, "Two *towers*"), (2, "Short answer"), (2, "Findings"), (2, "Gaps"), (2, "Coverage"),
    ]  # fmt: skip
    assert made[1]["markdown"] == "> “The Burj Khalifa is 828 m tall.” [1]"
    assert "print(" in str(made[2]["markdown"])


async def test_each_line_of_the_jsonl_is_a_claim(english: Report) -> None:
    lines = as_jsonl(english).decode("utf-8").splitlines()
    assert tuple(Checked.model_validate_json(line) for line in lines) == english.claims


async def test_the_markdown_is_the_report_to_the_byte_with_code_and_math_untouched(english: Report) -> None:
    body = markdown(english)
    assert body.decode("utf-8") == english.markdown
    assert b"\r" not in body
    assert b'print("[9] <b>")' in body
    assert b"$a_1 * b_2 * c$" in body
