"""Write goldens: `python -m tests.goldens.write [NAME ...] [--beside DIR] [--keep] [--anew] [--looked]`.

NAME: a case, or the beginning of several names ending in '*'; none: all. --beside: sheets of ours | official | difference x 4 there, and the mean
difference goes into the index. --keep: stored pictures stay, only sheets and index are written; otherwise those are written
that changed by more than the test allows, with --anew all. --looked: enter today as the day somebody looked at them.
A picture that changed so loses its day. Only software GL writes goldens.
"""
from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from fnmatch import fnmatch
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

import physics
from render.quality import is_software
from tests.goldens import index, official
from tests.goldens.case import PICTURES, Case, Painter, moment
from tests.goldens.compare import off, store, stored
from tests.goldens.table import CASES

LARGEST = 1500      # side of a sheet [pixel]


def chosen(names) -> list[Case]:
    """The cases of these names. Raises SystemExit where a name fits none."""
    for name in names:
        if not any(fnmatch(case.name, name) for case in CASES):
            raise SystemExit(f"there is no case '{name}'")
    return [case for case in CASES if not names or any(fnmatch(case.name, name) for name in names)]


def strip(case: Case, ours: np.ndarray, theirs: np.ndarray | None) -> Image.Image:
    """Ours, the official picture and their difference beside each other with a title."""
    parts = [ours]
    if theirs is not None:
        parts += [theirs, np.clip(4 * np.abs(ours.astype(int) - theirs), 0, 255).astype(np.uint8)]
    row = np.concatenate(parts, axis=1)
    out = Image.new('RGB', (row.shape[1], row.shape[0] + 16), (40, 40, 40))
    out.paste(Image.fromarray(row), (0, 16))
    ImageDraw.Draw(out).text((4, 2), f'{case.name}: {case.see}', fill=(255, 255, 255))
    return out


def sheets(strips: list[Image.Image], folder: Path) -> None:
    """Strips beside and below each other on pictures as large as can be looked at."""
    for width in sorted({s.width for s in strips}):
        some = [s for s in strips if s.width == width]
        across, high = max(1, LARGEST // width), max(s.height for s in some) + 4
        each = across * (LARGEST // high)
        for k in range(0, len(some), each):
            part = some[k:k + each]
            sheet = Image.new('RGB', (min(across, len(part)) * (width + 6), -(-len(part) // across) * high))
            for i, one in enumerate(part):
                sheet.paste(one, (i % across * (width + 6), i // across * high))
            sheet.save(folder / f'sheet_{width}_{k // each:02d}.png')


def _draw(cases: list[Case]) -> dict[str, np.ndarray]:
    with Painter() as painter:
        out = {}
        for case in cases:
            if not is_software(painter.offscreen(case.quality, case.size).driver):
                raise SystemExit('goldens are written on software GL: set LIBGL_ALWAYS_SOFTWARE=1')
            out[case.name] = painter.draw(case)
        return out


def main() -> int:
    """Write and print; 0."""
    parser = argparse.ArgumentParser(description='Write goldens.')
    parser.add_argument('names', nargs='*')
    parser.add_argument('--beside', type=Path)
    parser.add_argument('--keep', action='store_true')
    parser.add_argument('--anew', action='store_true')
    parser.add_argument('--looked', action='store_true')
    arguments = parser.parse_args()
    physics.ensure_kernels()
    cases = chosen(arguments.names)
    lines, today = index.read(), datetime.now(UTC).date().isoformat()
    pictures = _draw(cases)
    for case in cases:
        ours, line = pictures[case.name], lines.get(case.name, index.Line())
        same = case.picture.exists() and off(ours, stored(case.picture)).passes(case.limits)
        lines[case.name] = line._replace(looked=today if arguments.looked else line.looked if same or arguments.keep else '-')
        if not arguments.keep and (arguments.anew or not same):
            store(case.picture, ours)
    for left_over in {path.stem for path in PICTURES.iterdir()} - {case.name for case in CASES}:
        (PICTURES / f'{left_over}.png').unlink()
    if arguments.beside is not None:
        arguments.beside.mkdir(parents=True, exist_ok=True)
        theirs = official.shots([official.job_of(case, *moment(case)) for case in cases if case.official])
        for case in cases:
            mean = np.abs(pictures[case.name].astype(int) - theirs[case.name]).mean() if case.official else None
            lines[case.name] = lines[case.name]._replace(mean='-' if mean is None else f'{mean:.2f}')
            print(f'{case.name:32} {lines[case.name].mean}')
        sheets([strip(case, pictures[case.name], theirs.get(case.name)) for case in cases], arguments.beside)
    index.FILE.write_text(index.text(CASES, {case.name: lines[case.name] for case in CASES if case.name in lines}))
    return 0


if __name__ == '__main__':
    sys.exit(main())
