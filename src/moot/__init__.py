"""moot gives a question to a team of agents and brings back an answer that can be audited."""

__version__ = "0.1.0"
