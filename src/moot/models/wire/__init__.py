"""Our own wire to every OpenAI-style chat endpoint: nothing of its quirks leaves this folder."""
