"""index.md: one line per golden, what to see, when it was looked at beside the official picture, how far the two are apart and why."""
from __future__ import annotations

from typing import NamedTuple

from tests.goldens.case import HERE, Case

FILE = HERE / 'index.md'
HEAD = """# Goldens

One line per picture in `pictures/`: what it must show, the day somebody last looked at it beside the official picture of the same model and state
(`-`: not since it was rewritten), the mean difference of a channel from the official picture (in 1/255; `-`: there is none), and why where they differ.

Cases: `cases/*.py`. `python -m tests.goldens.write NAME ... --beside DIR` writes pictures and makes sheets of ours, the official one and their difference (times 4);
after looking at them, `--looked` enters the day. The test is `test_goldens.py`.

| picture | what to see | looked at | mean | why they differ |
|---|---|---|---|---|
"""


class Line(NamedTuple):
    """What the index tells of a golden beside its case."""

    looked: str = '-'
    mean: str = '-'


def read() -> dict[str, Line]:
    """{name: Line}."""
    if not FILE.exists():
        return {}
    rows = [[cell.strip() for cell in row.strip().strip('|').split('|')] for row in FILE.read_text().splitlines() if row.startswith('| ')][1:]
    return {row[0]: Line(row[2], row[3]) for row in rows}


def text(cases: tuple[Case, ...], lines: dict[str, Line]) -> str:
    """The whole file."""
    def row(case):
        line = lines.get(case.name, Line())
        return f'| {case.name} | {case.see} | {line.looked} | {line.mean} | {case.why or ("" if case.official else "ours alone")} |\n'
    return HEAD + ''.join(row(case) for case in cases)
