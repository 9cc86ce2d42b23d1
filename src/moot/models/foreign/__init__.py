"""Models whose wire is not OpenAI's, asked through LangChain's clients for them."""
