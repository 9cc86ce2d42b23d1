"""What a provider wants back is gathered from pieces, and goes to nobody else."""

from moot.models.foreign.opaque import Keeping, Opaque


def test_pieces_of_a_thought_are_one_block_with_its_signature() -> None:
    keeping = Keeping()
    keeping.take([{"type": "thinking", "thinking": "Hm, ", "index": 0}], {})
    keeping.take([{"type": "thinking", "thinking": "well.", "index": 0}], {})
    keeping.take([{"type": "thinking", "thinking": "", "signature": "abc", "index": 0}], {})
    keeping.take([{"type": "redacted_thinking", "data": "xyz", "index": 1}, {"type": "text", "text": "Yes."}], {})
    kept = Opaque.read(keeping.text("anthropic"), "anthropic")
    assert kept.blocks == [
        {"type": "thinking", "thinking": "Hm, well.", "signature": "abc"}, {"type": "redacted_thinking", "data": "xyz"},
    ]  # fmt: skip
    assert Opaque.read(keeping.text("anthropic"), "google_genai") == Opaque()


def test_what_stands_beside_the_content_is_joined() -> None:
    keeping = Keeping()
    keeping.take("", {"__signatures__": {"a": "1"}, "reasoning_content": "Hm."})
    keeping.take("", {"__signatures__": {"b": "2"}})
    assert Opaque.read(keeping.text("google_genai"), "google_genai").beside == {"__signatures__": {"a": "1", "b": "2"}}


def test_thoughts_without_a_signature_are_not_wanted_back() -> None:
    keeping = Keeping()
    keeping.take([{"type": "thinking", "thinking": "Hm."}], {"reasoning_content": "Hm."})
    assert keeping.text("ollama") == ""
