"""Options of commands that serve the page for headsets and phones."""
from __future__ import annotations

import argparse


def add_page_arguments(parser: argparse.ArgumentParser) -> None:
    """Where and how the page is served (app.headless.teleop.start_sources)."""
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="address of this machine at which the page of xr and the socket of net are served (127.0.0.1)")
    parser.add_argument("--port", type=int, default=None, help="port of the page (8443, or the next that is free)")
    parser.add_argument("--plain", action="store_true", help="serve without a certificate, at 127.0.0.1 only: for a headset at a cable (docs/teleoperation_headset.md)")
