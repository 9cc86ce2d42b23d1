"""Finding, fetching and reading: from a query or an address to Markdown cut into passages."""
