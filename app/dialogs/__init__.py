"""Windows that ask or tell: files, help, about."""
