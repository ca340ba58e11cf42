"""Links and provenance of every model there is: `./test.sh --long links [FILE ...] [--only TEXT] [--json FILE] [--again]`.

All MJCF and URDF texts of the corpus and of this repository that are models by themselves, and of the wheels that `tests/long/wheels.py` has fetched, where they are there.
Of every compiled thing the link must lead to the line where it stands and to the copy that it is, and provenance must name the text that each number came from. The judges are
twins of the texts (tests/physics/compiler/links_oracle.py); the marks are looked up in models compiled by the official engine too, where it reads the twin.
Prints a line for each model and the sums, and exits 1 where anything is wrong. A run that was broken off goes on where it ended.
"""
import argparse
import json
import re
import sys
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path

import physics
from physics.errors import ModelError
from tests.long.wheels import cache
from tests.oracle.corpus import OURS, corpus_dir
from tests.physics.compiler import links_oracle as oracle

ROOT = re.compile(rb"<(mujoco|robot)[\s>/]")
PROCESS = 8     # models that a process judges before another one takes its place
SHOWN = 5
LARGE = 4000    # elements from which only one twin of each kind is made


def texts(chosen: list[Path]) -> list[Path]:
    """Files that may be models."""
    if chosen:
        return chosen
    found = [*OURS]
    for folder in (corpus_dir().parent, cache()):
        found += sorted(path for path in (*folder.rglob("*.xml"), *folder.rglob("*.urdf")) if path.is_file() and ROOT.search(path.read_bytes())) if folder.is_dir() else []
    return list(dict.fromkeys(found))


def judge(path: Path) -> dict:
    """What was found of one file."""
    begun = time.perf_counter()
    row = {"file": str(path), "model": True, "items": 0, "keys without element": 0, "copies": 0, "wrong": [], "counts": {}, "not made": {}}
    try:
        twin = oracle.Twin.of_file(path)
    except (ModelError, OSError) as error:
        return {**row, "model": False, "why": str(error).splitlines()[0][:200]}
    row["items"], row["keys without element"], wrong = oracle.wrong_places(twin)
    _note(row, "places", row["items"], wrong)
    row["copies"] = sum(bool(source.copies) for _k, _n, source in twin.items() if source is not None)
    _note(row, "names", *oracle.wrong_names(twin))
    for name, check in (("twin names", _names), ("marks", _marks), ("marks, half taken away", _taken), ("defaults written out", oracle.changed_by_defaults)):
        try:
            _note(row, name, *(check(twin, row) if check in (_marks, _taken) else check(twin)))
        except ModelError as error:
            row["not made"][name] = str(error).splitlines()[0][:200]
    for name, check in (("limits", oracle.wrong_limits), ("masses", oracle.wrong_masses), ("attributes", oracle.wrong_by_text)):
        _note(row, name, *check(twin))
    return {**row, "seconds": round(time.perf_counter() - begun, 2)}


def _note(row: dict, name: str, count: int, wrong: list[str]) -> None:
    row["counts"][name] = row["counts"].get(name, 0) + count
    row["wrong"] += [f"{name}: {what}" for what in wrong[:SHOWN]] + ([f"{name}: {len(wrong) - SHOWN} more"] if len(wrong) > SHOWN else [])


def _names(twin) -> tuple[int, list[str]]:
    other = oracle.named_twin(twin)
    count, wrong = oracle.wrong_names(other)
    return count, [*wrong, *oracle.differences(twin, other)]


def _marks(twin, row: dict) -> tuple[int, list[str]]:
    marks = oracle.marked_twin(twin)
    _note(row, "users of classes", *oracle.wrong_users(marks))
    official = _official(marks.twin, row)
    if official is not None:
        _note(row, "marks, official engine", *oracle.wrong_layers(marks, official))
    return oracle.wrong_layers(marks)


def _taken(twin, row: dict) -> tuple[int, list[str]]:
    count, wrong = 0, []
    for seed in range(1 if len(twin.elements) > LARGE else 3):
        try:
            one, some = oracle.wrong_layers(oracle.marked_twin(twin, oracle.removable(twin, seed)))
        except ModelError as error:
            row["not made"][f"half taken away, {seed}"] = str(error).splitlines()[0][:200]
            continue
        count, wrong = count + one, wrong + some
    return count, wrong


def _official(twin, row: dict):
    """The twin as the official engine compiles it; None where it does not, or numbers things otherwise."""
    import mujoco

    with tempfile.TemporaryDirectory() as folder:
        main = _mirrored(twin, Path(folder))
        try:
            model = mujoco.MjModel.from_xml_path(str(main))
        except ValueError as error:
            row["not made"]["official engine"] = str(error).splitlines()[0][:200]
            return None
    ours = twin.model
    if any(getattr(model, size) != getattr(ours, size) for size in ("ngeom", "njnt", "nsite", "nu", "ntendon", "nlight", "nmat")):
        row["not made"]["official engine"] = "other numbers of things"
        return None
    return _Official(model, ours)


class _Official:
    """Fields of the official engine under our names; those that it does not have are ours."""

    def __init__(self, model, ours):
        self._model, self._ours = model, ours

    def __getattr__(self, name: str):
        ours = getattr(self._ours, name)
        theirs = getattr(self._model, name, None)
        return ours if theirs is None or getattr(theirs, "shape", None) != ours.shape else theirs


def _mirrored(twin, folder: Path) -> Path:
    """The twin's texts in a folder that has links to all other files beside them."""
    base = Path(twin.main).resolve().parent
    top = base
    if base.is_relative_to(corpus_dir()) and base != corpus_dir():
        top = corpus_dir() / base.relative_to(corpus_dir()).parts[0]      # meshes may stand in folders beside
    for path in twin.texts:
        while not Path(path).resolve().is_relative_to(top):
            top = top.parent
    for path in top.rglob("*") if len(list(top.iterdir())) < 200 else base.rglob("*"):
        target = folder / path.relative_to(top)
        if path.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(path)
    for path, text in twin.texts.items():
        target = folder / Path(path).resolve().relative_to(top)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        target.write_text(text, encoding="utf-8", newline="")
    return folder / base.relative_to(top) / Path(twin.main).name


def _judged(path: Path) -> dict:
    try:
        return judge(path)
    except Exception as error:
        return {"file": str(path), "model": True, "items": 0, "keys without element": 0, "copies": 0, "wrong": [f"broken: {type(error).__name__}: {error}"], "counts": {},
                "not made": {}}


def main(arguments=None) -> int:
    """Judge all files; 1 where anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--only", default="", help="files whose path holds this")
    parser.add_argument("--json", type=Path, default=Path("links.json"))
    parser.add_argument("--again", action="store_true")
    chosen = parser.parse_args(arguments)
    rows = {} if chosen.again or not chosen.json.exists() else json.loads(chosen.json.read_text())
    waiting = [path for path in texts(chosen.files) if chosen.only in str(path)]
    physics.ensure_kernels()
    with get_context("spawn").Pool(1, physics.ensure_kernels, maxtasksperchild=PROCESS) as pool:
        for row in pool.imap(_judged, [path for path in waiting if str(path) not in rows]):
            rows[row["file"]] = row
            chosen.json.write_text(json.dumps(rows, indent=1))
            if row["model"]:
                head = f"{Path(row['file']).name}: {row['items']} items, {row['copies']} copies, {row.get('seconds', 0):.1f} s, {row['counts']}"
                print(head, *row["wrong"], sep="\n   ", flush=True)
    rows = [rows[str(path)] for path in waiting]
    models = [row for row in rows if row["model"]]
    counts: dict[str, int] = {}
    for row in models:
        for name, count in row["counts"].items():
            counts[name] = counts.get(name, 0) + count
    wrong = [row for row in models if row["wrong"]]
    missing: dict[str, int] = {}
    for row in models:
        for name in row["not made"]:
            missing[name] = missing.get(name, 0) + 1
    print(f"{len(models)} models ({len(rows) - len(models)} files are none by themselves), {sum(row['items'] for row in models)} items, of which "
          f"{sum(row['copies'] for row in models)} are copies and {sum(row['keys without element'] for row in models)} come from no element")
    print(f"looked at: {counts}\ntwins that did not compile: {missing}\nwrong in {len(wrong)} models: {[Path(row['file']).name for row in wrong]}")
    summary = {"models": len(models), "items": sum(row["items"] for row in models), "copies": sum(row["copies"] for row in models), "looked_at": counts, "not_made": missing,
               "wrong": {row["file"]: row["wrong"] for row in wrong}}
    chosen.json.with_suffix(".summary.json").write_text(json.dumps(summary, indent=1))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
