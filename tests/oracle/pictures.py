"""Classic pictures beside the official renderer's: `python -m tests.oracle.pictures [MODEL.xml ...] [--models DIR] [--only NAME ...] [--quality NAME]
[--out DIR] [--json FILE]`.

Every model at its start state through its default free camera, 640 x 480, quality 'classic' unless said otherwise. Per model: mean |difference| of a channel
[1/255], its 95th percentile, and the share of pixels off by more than 32. With --out each pair is saved (official, ours, difference x 4),
and official pictures that lie there already are taken as they are.
JSON: {"models": [{"name", "mean", "p95", "off", "why"}]}; a model that cannot be drawn on either side has null figures and the reason.
"""
import argparse
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
from PIL import Image

import physics
from app.bridge.build import build_scene
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.view import free_camera, view_of
from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene.snapshot import Scene
from tests.oracle.corpus import Entry, corpus_dir, read_manifest
from tests.oracle.opening import opened
from tests.render import official

SIZE = (640, 480)
FAR_OFF = 32    # [1/255]


def ours(path: Path, key: bool, off: Offscreen) -> np.ndarray:
    """Our picture of a file (height, width, 3) uint8. Raises ModelError where it does not load."""
    m, snapshot = opened(path, key)
    scene = build_scene(ModelVisuals(m), snapshot, VisOptions(), Scene())
    return off.rgb(scene, view_of(m, snapshot, free_camera(m)))


def theirs(path: Path, key: bool, kept: Path | None) -> np.ndarray:
    """The official picture, from `kept` where it lies there. Raises CalledProcessError where the official engine refuses the file."""
    if kept is not None and kept.exists():
        return np.asarray(Image.open(kept).convert('RGB'))
    job = {'path': str(path), 'width': SIZE[0], 'height': SIZE[1]}
    picture = official.shot(**job, **({'key': 0} if key else {}))['rgb']
    if kept is not None:
        Image.fromarray(picture).save(kept)
    return picture


def compare(entry: Entry, off: Offscreen, out: Path | None) -> dict:
    """The row of one model."""
    row = {'name': entry.name, 'mean': None, 'p95': None, 'off': None, 'why': ''}
    try:
        mine = ours(entry.path, entry.starts_at_key, off)
        official_picture = theirs(entry.path, entry.starts_at_key, None if out is None else out / f'{entry.name}.official.png')
    except (physics.ModelError, subprocess.CalledProcessError) as error:
        return row | {'why': str(error).splitlines()[0]}
    difference = np.abs(mine.astype(int) - official_picture)
    if out is not None:
        pair = np.concatenate([official_picture, mine, np.clip(4 * difference, 0, 255).astype(np.uint8)], 1)
        Image.fromarray(pair).save(out / f'{entry.name}.png')
    return row | {'mean': float(difference.mean()), 'p95': float(np.percentile(difference, 95)),
                  'off': float((difference.max(2) > FAR_OFF).mean())}


def _entries(arguments) -> list[Entry]:
    if arguments.files:
        return [Entry(f'{path.parent.name}_{path.stem}', path, '4.0.0', 'default', {}, {}, 0) for path in arguments.files]
    found = [entry for entry in read_manifest(arguments.models) if entry.oracle == '4.0.0']
    return [entry for entry in found if not arguments.only or entry.name in arguments.only]


def main() -> int:
    """Compare and print; 0."""
    parser = argparse.ArgumentParser(description='Classic pictures beside the official renderer.')
    parser.add_argument('files', nargs='*', type=Path)
    parser.add_argument('--models', type=Path, default=corpus_dir())
    parser.add_argument('--only', nargs='*', default=())
    parser.add_argument('--quality', choices=QUALITIES, default='classic')
    parser.add_argument('--out', type=Path)
    parser.add_argument('--json', type=Path)
    arguments = parser.parse_args()
    if arguments.out is not None:
        arguments.out.mkdir(parents=True, exist_ok=True)
    rows = []
    physics.ensure_kernels()
    with Offscreen(*SIZE, QUALITIES[arguments.quality]) as off:
        for entry in _entries(arguments):
            row = compare(entry, off, arguments.out)
            rows.append(row)
            figures = row['why'] if row['mean'] is None else f"mean {row['mean']:6.2f}  p95 {row['p95']:5.0f}  far off {100 * row['off']:5.1f} %"
            print(f"{row['name']:40} {figures}", flush=True)
    if arguments.json is not None:
        arguments.json.write_text(json.dumps({'models': rows}, indent=1))
    return 0


if __name__ == '__main__':
    sys.exit(main())
