"""Every model of the wheels people use, compiled by both: `./test.sh --long wheels [FOLDER ...] [--only TEXT] [--json FILE] [--again]`.

Without folders the newest wheels of WHEELS are fetched (pip download --no-deps) and unpacked into a cache folder (LINKWORK_WHEELS, else the user's
cache). Each file with a <mujoco> or <robot> root is judged in a child process, because an engine may crash; the JSON is written as it
grows, and a run started again goes on where it ended (--again judges everything anew).

Statuses: agree (both load, every field and name equal), hull order (all but the numbering of hull vertices, hulls.py), differ,
refused (ours refuses by name what issues leave out: LEFT_OUT),
failed (ours refuses or breaks, the official loads), both refuse, ours only (the official refuses; an extension or a gap of ours).
"""
import argparse
import collections
import json
import math
import os
import re
import select
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import platformdirs

WHEELS = ("dm_control", "gymnasium", "gymnasium-robotics", "robosuite", "metaworld", "myosuite")
LEFT_OUT = ("flexible objects", "plugins", "signed-distance")   # parsed and refused by name for now
SECONDS = 180
TOLERANCE = 1e-9
ROOT = re.compile(rb"<(mujoco|robot)[\s>/]")


def cache() -> Path:
    """Where wheels and their contents are kept."""
    return Path(os.environ.get("LINKWORK_WHEELS") or Path(platformdirs.user_cache_dir("linkwork")) / "wheels")


def fetched() -> list[Path]:
    """Folders of unpacked wheels, fetched where they are missing."""
    folders = []
    for name in WHEELS:
        folder = cache() / name.replace("-", "_")
        if not folder.exists():
            with tempfile.TemporaryDirectory() as place:
                subprocess.run([sys.executable, "-m", "pip", "download", "--no-deps", "-q", "-d", place, name], check=True)
                wheel = next(Path(place).glob("*.whl"))
                with zipfile.ZipFile(wheel) as archive:
                    archive.extractall(folder)
        folders.append(folder)
    return folders


def models(folders: list[Path]) -> list[Path]:
    """Files that may be models, parts to be included among them: the official engine says which are."""
    found = []
    for folder in folders:
        for path in sorted([*folder.rglob("*.xml"), *folder.rglob("*.urdf")]):
            if path.is_file() and ROOT.search(path.read_bytes()):
                found.append(path)
    return found


def judge(path: Path) -> dict:
    """The row of one file."""
    import mujoco

    import physics

    row = {"file": str(path), "status": "", "why": "", "checked": 0, "off": {}, "names": {}, "view_only": 0, "seconds": [0.0, 0.0]}
    official = ours = None
    begun = time.perf_counter()
    try:
        official = mujoco.MjModel.from_xml_path(str(path))
    except ValueError as error:
        row["official"] = str(error)
    between = time.perf_counter()
    try:
        ours = physics.load(path)
    except physics.ModelError as error:
        issues = [issue for issue in error.issues if issue.severity == "error"]
        row["why"] = "; ".join(str(issue) for issue in issues[:3]) + (f" (and {len(issues) - 3} more)" if len(issues) > 3 else "")
        missing = [issue.what for issue in issues if "not supported yet" in issue.what]
        left_out = bool(missing) and all(any(word in what for word in LEFT_OUT) for what in missing)
    row["seconds"] = [time.perf_counter() - between, between - begun]
    if ours is None:
        row["status"] = "both refuse" if official is None else "refused" if left_out else "failed"
    elif official is None:
        row["status"] = "ours only"
    else:
        _compare(row, ours, official)
    return row


def _compare(row: dict, ours, official) -> None:
    import numpy as np

    from tests.oracle.compiled import compare_compiled
    from tests.oracle.hulls import FIELDS as HULL_FIELDS
    from tests.oracle.names import wrong_names

    row["view_only"] = len(ours.view_only)
    row["checked"], off = compare_compiled(ours, official, TOLERANCE)
    row["off"] = {name: (value if math.isfinite(value) else None) for name, value in off.items()}
    row["names"] = wrong_names(ours, official)
    row["status"] = "differ" if row["off"] or row["names"] else "agree"
    numbered_alike = all(np.array_equal(getattr(ours, name).ravel(), np.ravel(getattr(official, name))) for name in HULL_FIELDS)
    if row["status"] == "agree" and not numbered_alike:
        row["status"] = "hull order"


def worker(judge) -> int:
    """Judge the paths that come in, one JSON line each; meshes and pictures are made by the compiler's kernels."""
    import physics

    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)   # what the engines print must not get between the answers
    os.chdir(tempfile.mkdtemp())
    physics.ensure_kernels()
    for line in sys.stdin:
        try:
            row = judge(Path(line.strip()))
        except Exception as error:   # any other exception is a failure to be shown, not the end
            row = {"file": line.strip(), "status": "failed", "why": f"{type(error).__name__}: {error}", "off": {}, "names": {}, "seconds": [0, 0]}
        out.write(json.dumps(row) + "\n")
        out.flush()
    return 0


class Child:
    """A worker process, started again after a crash or when it takes too long. module: what it runs, with --worker."""

    def __init__(self, module: str = "tests.long.wheels"):
        self.process, self.module = None, module

    def ask(self, path: Path) -> dict:
        """The row of a file; a crash and a hang are rows too."""
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen([sys.executable, "-m", self.module, "--worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, text=True)
        self.process.stdin.write(f"{path.resolve()}\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], SECONDS)
        line = self.process.stdout.readline() if ready else ""
        if line:
            return json.loads(line)
        self.process.kill()
        what = "the process died" if ready else f"no answer within {SECONDS} s"
        return {"file": str(path.resolve()), "status": "failed", "why": what, "off": {}, "names": {}, "seconds": [0, 0]}


def _line(row: dict) -> str:
    fields = ", ".join(f"{name} {value if value is None else format(value, '.0e')}" for name, value in list(row["off"].items())[:8])
    more = f" and {len(row['off']) - 8} more" if len(row["off"]) > 8 else ""
    names = "; ".join(list(row["names"].values())[:2])
    return f"{row['status']:11} {row['file'][-70:]:70} {row['seconds'][0]:6.2f} s (official {row['seconds'][1]:.2f}) {row['why'][:240]} {fields}{more} {names}"


def arguments_of(arguments, doc: str, json_name: str) -> argparse.Namespace:
    """What a proof over many files can be told."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--only", default="", help="files whose path holds this text")
    parser.add_argument("--json", type=Path, default=Path(json_name))
    parser.add_argument("--again", action="store_true", help="judge anew what the JSON has already")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def judged_rows(chosen: argparse.Namespace, child: Child, folders: list[Path], shown) -> tuple[list[dict], collections.Counter]:
    """Rows of all files asked for and how often each status came; the JSON grows with them. shown(row): the line to print, '' for none."""
    rows = {}
    if chosen.json.exists() and not chosen.again:
        rows = {row["file"]: row for row in json.loads(chosen.json.read_text())["models"]}
    paths = [path for path in models(folders) if chosen.only in str(path)]
    for path in paths:
        if str(path.resolve()) not in rows:
            row = rows[str(path.resolve())] = child.ask(path)
            if line := shown(row):
                print(line, flush=True)
            chosen.json.write_text(json.dumps({"models": list(rows.values())}, indent=1))
    judged = [rows[str(path.resolve())] for path in paths]
    counts = collections.Counter(row["status"] for row in judged)
    chosen.json.write_text(json.dumps({"models": list(rows.values()), "counts": counts}, indent=1))
    print(f"{len(judged)} files: " + ", ".join(f"{count} {status}" for status, count in counts.most_common()))
    return judged, counts


def main(arguments=None) -> int:
    chosen = arguments_of(arguments, __doc__, "wheels.json")
    if chosen.worker:
        return worker(judge)
    quiet = ("agree", "hull order", "both refuse")
    _judged, counts = judged_rows(chosen, Child(), chosen.folders or fetched(), lambda row: "" if row["status"] in quiet else _line(row))
    loads = sum(counts[s] for s in ("agree", "hull order", "differ", "refused", "failed"))
    alike = counts["agree"] + counts["hull order"]
    print(f"of {loads} the official engine loads, {counts['agree']} agree in every field and name ({100 * counts['agree'] / max(loads, 1):.1f} %), "
          f"{alike} but for the numbering of hull vertices ({100 * alike / max(loads, 1):.1f} %)")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
