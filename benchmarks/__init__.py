"""Programs that measure cost beside the official engine. Never part of the tests: a timed test lies on a busy machine."""
