"""The page for headsets and phones, and the socket of scripts: HTTPS and WSS, paired by a token."""
from __future__ import annotations


def make(name: str):
    """The source of that name ('xr', 'xr:right', 'net'), not started."""
    from app.inputs.server.source import WebSource

    return WebSource(name.partition(":")[0])
