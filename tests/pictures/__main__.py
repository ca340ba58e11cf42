"""`python -m tests.pictures [NAME...] [--out FOLDER] [--theme light]`: the pictures of docs/editing.md, docs/hard_contact.md and README.md, all or some, as
FOLDER/pictures/*.png and FOLDER/window.png (FOLDER: docs)."""
from __future__ import annotations

import argparse
import shutil
import tempfile
import traceback
from pathlib import Path

import physics
from tests.pictures.desk import Desk, save, started
from tests.pictures.table import FILES, WINDOWS

ROOT = Path(__file__).parents[2]


def main() -> int:
    """Exit status: how many pictures there are none of."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--out", type=Path, default=ROOT / "docs")
    parser.add_argument("--theme", choices=("dark", "light"), default="dark")
    arguments = parser.parse_args()
    app, failed = started(), 0      # the application lives as long as its windows
    physics.ensure_kernels()
    for file, text, size, workspace, pictures in WINDOWS:
        wanted = {name: take for name, take in pictures.items() if not arguments.names or name in arguments.names}
        if not wanted:
            continue
        with tempfile.TemporaryDirectory() as folder:
            models = Path(folder) / "models"
            shutil.copytree(ROOT / "models", models)
            if text:
                (models / file).write_text(text)
            desk = Desk(Path(folder), models / file, size, arguments.theme, workspace)
            for name, take in wanted.items():
                try:
                    print(f"{name}: {save(take(desk), arguments.out / FILES[name])} bytes", flush=True)
                except Exception:
                    failed += 1
                    traceback.print_exc()
            desk.close()
    del app
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
