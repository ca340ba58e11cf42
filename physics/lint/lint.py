"""All rules over a model.

    read(path) --ReadResult--> compile_root --Model--> lint(read, model) --> findings, the worst first

Which rules look at the running state, and not at the text: physics/diagnostics/advice.
"""
from __future__ import annotations

from collections.abc import Callable, Collection

from physics.lint.finding import SEVERITIES, Finding, merged
from physics.lint.subject import Stopped, Subject
from physics.lint.table import RULES
from physics.mjcf.reader import ReadResult, read
from physics.model.model import Model

__all__ = ["lint", "lint_model"]


def lint(read_result: ReadResult, m: Model, rules: Collection[str] = (), dynamics: bool = True, stop: Callable[[], bool] = lambda: False) -> tuple[Finding, ...]:
    """Findings of a model and what it was compiled from, the worst first; rules: ids of those to look at, all where there are none.

    dynamics: whether poses, contacts and forces at rest may be computed, which needs compiled kernels; models that can only be viewed have none. stop(): asked between rules;
    where it says yes there are no findings. Raises ValueError for a text without a tree.
    """
    if read_result.root is None:
        raise ValueError("what is no XML has no findings: mend what the reader says first")
    subject = Subject(read_result, m, dynamics, stop)
    found = []
    try:
        for rule in RULES:
            if not rules or rule.id in rules:
                subject.go_on()
                found += rule.find(subject)
    except Stopped:
        return ()
    order = {rule.id: k for k, rule in enumerate(RULES)}
    return tuple(sorted(merged(found), key=lambda f: (SEVERITIES.index(f.severity), order[f.rule], -f.weight)))


def lint_model(m: Model, rules: Collection[str] = ()) -> tuple[Finding, ...]:
    """The same of a model that was loaded from a file, which is read again. Raises ValueError for one that was not."""
    if not m.source or m.source[0].lower().endswith(".lwb"):
        raise ValueError("rules look at a text, which a compiled model does not have")
    return lint(read(m.source[0]), m, rules)
