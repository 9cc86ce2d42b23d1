"""Instruments, calendars, prices, filings, news: never later than the as-of date, and a missing one is missing."""
