from moot.patterns.understudies.researcher import in_reading_order


def test_of_the_web_one_page_a_host_is_read_first_and_documents_stand_where_they_are() -> None:
    hits = [
        "docs://a/1", "https://x.example/1", "docs://a/2", "https://x.example/2", "docs://a/3", "https://y.example/1",
        "https://x.example/3",
    ]  # fmt: skip
    assert in_reading_order(hits) == [
        "docs://a/1", "https://x.example/1", "docs://a/2", "docs://a/3", "https://y.example/1", "https://x.example/2",
        "https://x.example/3",
    ]  # fmt: skip


def test_documents_alone_are_read_as_they_were_found() -> None:
    hits = [f"docs://a/{n}" for n in (3, 1, 2)]
    assert in_reading_order(hits) == hits
