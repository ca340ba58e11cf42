"""Docstrings and comments cite nothing that a cloner does not have: documents named in them lie in the repository, under the path given."""
from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

from tests.architecture.sources import PACKAGES, ROOT, Source, refuse, sources_with

DOCUMENT = re.compile(r"[\w./-]*\w\.md\b")
PARTS = (".md", "shared/")      # one of which is in whatever is found: to take all other files apart would take a while
OUTSIDE = re.compile(r"(?<![\w/])(?:\.\./)*shared/\w")


def prose(source: Source) -> list[tuple[int, str]]:
    """(line, text) of all docstrings and comments."""
    found = [(t.start[0], t.string) for t in tokenize.generate_tokens(io.StringIO(source.text).readline) if t.type == tokenize.COMMENT]
    for node in source.nodes:
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and (text := ast.get_docstring(node, clean=False)):
            found.append((node.body[0].lineno, text))
    return found


def citations(text: str, folder: str = "") -> list[str]:
    """What a text cites that lies neither in the repository under that path nor beside the file: documents by name, folders beside the checkout."""
    missing = [name for name in DOCUMENT.findall(text) if not (ROOT / name).is_file() and not (ROOT / folder / name).is_file()]
    return missing + OUTSIDE.findall(text)


@pytest.mark.parametrize("tops", [PACKAGES, ("tests", "benchmarks", "scripts")], ids=["product", "tests"])
def test_documents_named_are_in_the_repository(tops):
    refuse([f"{s.path}:{line} cites {name}" for s in sources_with(PARTS, *tops) if s.path != "tests/architecture/test_docstrings.py"
            for line, text in prose(s) for name in citations(text, str(Path(s.path).parent))])


def test_citations_are_found():
    assert citations("as said in engine.md, section 6, and docs/contact.md") == ["engine.md"]
    assert citations("docs/nothing.md") == ["docs/nothing.md"] and citations("in ../shared/corpus/open") and citations("ARCHITECTURE.md") == []
    text = '"""One (house.md)."""\ndef f():\n    """Two."""\n    x = "kernels.md"  # three\n'
    assert [t for _line, t in prose(Source("a.py", "a", text, ast.parse(text)))] == ["# three", "One (house.md).", "Two."]
