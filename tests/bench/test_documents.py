from pathlib import Path

from bench.corpus import make
from bench.documents import measured


def test_the_same_seed_makes_the_same_documents(tmp_path: Path) -> None:
    one, two = make(tmp_path / "one", files=30), make(tmp_path / "two", files=30)
    assert one == two
    assert one.chinese == 5
    files = sorted((tmp_path / "one").rglob("*.*"))
    assert len(files) == 30
    assert all(
        path.read_bytes() == (tmp_path / "two" / path.relative_to(tmp_path / "one")).read_bytes() for path in files
    )


async def test_every_figure_of_the_table_is_measured(tmp_path: Path) -> None:
    made = make(tmp_path / "documents", files=60)
    figures = await measured(tmp_path / "documents", tmp_path / "home", made, questions=(20, 10))
    assert [figure.name for figure in figures] == [
        "indexing, all stages", "query, median", "query, p95", "index size", "known item, English",
        "known item, Chinese", "one changed file", "nothing changed",
    ]  # fmt: skip
    assert all(figure.held for figure in figures[4:6])
