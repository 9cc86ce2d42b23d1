"""A model server that says its lines: OpenAI's chat endpoint, with every quirk of a real wire by name."""
