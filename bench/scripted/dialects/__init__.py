"""Other providers' wires, so that the same script is said over them: Anthropic's, Gemini's, Ollama's own."""
