"""Another system's report: its links in every form, matched with saved pages; what has no page is counted apart."""

import pytest

from moot.evidence.audit.linked import LinkedAudit, audit_linked
from moot.evidence.audit.saved import SavedPage

DAM = SavedPage(
    name="dam.html", addresses=("//example.org/dam",), title="Dam",
    text="# The dam\n\nWork began late.\n\nThe Halden Dam holds 340 million cubic metres.\n\nIt has 12 gates.\n",
)  # fmt: skip
TOWER = SavedPage(name="example.org_towers_tower.html", text="“It is 88 m tall,” said the mayor of Norvale.\n")
PAGES = (DAM, TOWER)
TRUE = "The Halden Dam holds 340 million cubic metres."


def told(found: LinkedAudit) -> list[tuple[str, str]]:
    return [(one.status, one.claim) for one in found.claims]


@pytest.mark.parametrize(
    "report",
    [
        "“The Halden Dam holds 340 million cubic metres” ([example.org](https://www.example.org/x)). "
        "[“The Halden Dam holds 340 million cubic metres”](http://example.org/dam?utm_source=x#s).",
        "“The Halden Dam holds 340 million cubic metres.” [[1]](https://example.org/dam)",
        "“The Halden Dam holds 340 million cubic metres.” https://example.org/dam.",
        "“The Halden Dam holds 340 million cubic metres.” <https://example.org/dam>",
        "“The Halden Dam holds 340 million cubic metres.” [1]\n\n## References\n\n1. The dam. https://example.org/dam\n",
        "“The Halden Dam holds 340 million cubic metres.” [1]\n\n**Sources**\n\n[1] [Dam](https://example.org/dam)\n",
        "“The Halden Dam holds 340 million cubic metres.” <sup>1</sup>\n\n## Sources:\n- [1]: https://example.org/dam\n",
        "“The Halden Dam holds 340 million cubic metres.”[^dam]\n\n[^dam]: Halden,\n    https://example.org/dam\n",
        "[“The Halden Dam holds 340 million cubic metres”][d].\n\n[d]: https://example.org/dam 'The dam'\n",
        "“The Halden Dam holds 340 million cubic metres.” [1-2]\n\n参考文献\n[1] https://example.org/dam\n[2] https://example.org/none\n",
    ],
)
async def test_a_link_in_any_form_leads_to_the_saved_page(report: str) -> None:
    found = await audit_linked(f"# T\n\n{report}", PAGES)
    assert {one.status for one in found.claims} == {"verified"}, found
    assert "//example.org/dam" in found.pages
    assert found.uncited == ()


async def test_a_sentence_that_its_page_does_not_bear_is_named() -> None:
    found = await audit_linked(
        "# T\n\n“The Halden Dam holds 341 million cubic metres” ([d](https://example.org/dam)).", PAGES
    )
    assert [(one.status, one.reason) for one in found.claims] == [("unsupported", "quote_altered")]
    assert found.rate == 0


async def test_what_has_no_saved_page_is_not_checkable_and_each_is_listed() -> None:
    report = (
        "# T\n\n“It has 12 gates” ([a](https://example.org/dam)). It cost 40 million euros [b](https://other.test/cost)."
        " Nobody lives in 5 of its 9 houses. The mayor earns 900 euros a week [7].\n\n"
        "## References\n\n[7] Smith, The mayor, 2019.\n"
    )
    found = await audit_linked(report, PAGES)
    assert [status for status, _ in told(found)] == ["verified"]
    assert [(one.claim, one.links) for one in found.not_checkable] == [
        ("It cost 40 million euros b.", ("https://other.test/cost",)),
        ("The mayor earns 900 euros a week.", ("Smith, The mayor, 2019.",)),
    ]
    assert set(found.missing) == {"https://other.test/cost", "Smith, The mayor, 2019."}
    assert found.uncited == ("Nobody lives in 5 of its 9 houses.",)
    assert found.rate == 100


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://example.org/towers/tower", "example.org_towers_tower.html"),
        ("https://www.example.org/towers/tower/", "tower.pdf"),
        ("https://example.org/towers/tower.html", "tower.md"),
        ("https://example.org/", "example.org.html"),
        ("https://example.org/a%20b?x=1", "a-b-x-1.txt"),
    ],
)  # fmt: skip
async def test_a_page_that_says_no_address_is_found_by_its_files_name(address: str, name: str) -> None:
    page = TOWER.model_copy(update={"name": name})
    found = await audit_linked(f"# T\n\n“It is 88 m tall” [x]({address}).", (DAM, page))
    assert list(found.pages.values()) == [name]


async def test_of_two_files_that_fit_a_name_none_is_taken() -> None:
    other = TOWER.model_copy(update={"name": "tower.pdf"})
    found = await audit_linked(
        "# T\n\n“It is 88 m tall” [x](https://a.test/tower).", (TOWER.model_copy(update={"name": "tower.md"}), other)
    )
    assert found.pages == {}
    assert len(found.not_checkable) == 1


async def test_links_in_code_and_a_link_to_nothing_are_no_sources() -> None:
    found = await audit_linked("# T\n\n`[a](https://example.org/dam)` and [b](#part) and [c](mailto:a@b.test).", PAGES)
    assert (found.claims, found.missing) == ((), ())
