"""Findings of a text, and the text after a fix."""
from __future__ import annotations

import physics
from editor.edits.patch import apply
from editor.edits.version import Version
from editor.lint_fixes import edit_of
from physics.lint.finding import Finding
from physics.lint.lint import lint

MAIN = "model.xml"


def version_of(text: str | dict[str, str]) -> Version:
    """The document of a text, or of several by name, the main one under MAIN."""
    texts = {MAIN: text} if isinstance(text, str) else text
    return Version.of(texts, MAIN)


def linted(text: str | dict[str, str] | Version, *rules: str) -> tuple[Finding, ...]:
    """All findings, or those of some rules."""
    physics.ensure_kernels()
    version = text if isinstance(text, Version) else version_of(text)
    return lint(version.read, physics.compile_root(version.read), rules)


def the(text, rule: str, **more) -> Finding:
    """The only finding of a rule."""
    found = linted(text, rule, **more)
    assert len(found) == 1, [str(f) for f in found]
    return found[0]


def mended(text: str | dict[str, str], rule: str, which: int = 0, every: bool = False) -> dict[str, str]:
    """The texts after the fix of the only finding of a rule (every: of all of them); checks that it is gone, that the model compiles, and that there is no new finding."""
    version = version_of(text)
    before = linted(version)
    mine = [f for f in before if f.rule == rule]
    assert mine and (every or len(mine) == 1), [str(f) for f in before]
    edit = edit_of(version, [f.fixes[which] for f in mine if f.fixes])
    after = {**version.texts, **apply(version.texts, edit)}
    keys = {f.key for f in linted(version_of(after))}
    assert not keys & {f.key for f in mine}, "the finding is still there"
    assert keys <= {f.key for f in before}, keys - {f.key for f in before}
    return after
