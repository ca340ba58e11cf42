"""What docs/optimise.md shows is what its examples print."""
import contextlib
import io
import re

import physics
from tests.architecture.sources import ROOT

PAGE = ROOT / "docs" / "optimise.md"
BLOCK = re.compile(r"```(python|text)\n(.*?)```", re.DOTALL)


def test_the_examples_print_what_the_page_shows():
    physics.ensure_kernels()
    names, printed, shown = {}, "", 0
    for kind, text in BLOCK.findall(PAGE.read_text()):
        if kind == "python":
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                exec(compile(text, str(PAGE), "exec"), names)
            printed = said.getvalue()
        else:
            assert printed == text
            shown += 1
    assert shown == 3
