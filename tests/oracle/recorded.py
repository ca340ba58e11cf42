"""What MuJoCo 2.3.7 says of the corpus's models that only it can open: names, counts, masses and positions at the start state.

`python -m tests.oracle.recorded [PYTHON]` writes recorded/legacy.npz anew: it makes an environment with mujoco 2.3.7 and numpy below 2
(or takes the interpreter of one) and runs this file in it.
"""
import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from types import MappingProxyType

import numpy as np

RECORDED = Path(__file__).with_name("recorded") / "legacy.npz"
ORACLE = "2.3.7"
COUNTS = ("nq", "nv", "nu", "na", "nbody", "njnt", "ngeom", "nsite", "ncam", "nlight", "nmat", "ntex", "nskin", "nskinvert", "nskinface",
          "nskinbone", "nskinbonevert", "npair", "nexclude", "neq", "ntendon", "nwrap", "nsensor", "nkey", "nmocap", "ntext")
FIELDS = ("body_mass", "body_subtreemass", "qpos0", "tendon_length0", "body_parentid", "jnt_type", "geom_type", "eq_type", "wrap_type", "skin_vert", "skin_face",
          "skin_bonevertid", "skin_bonevertweight")
POSITIONS = ("xpos", "xquat", "xipos", "xanchor", "xaxis", "geom_xpos", "geom_xmat", "site_xpos")
KINDS = ("body", "joint", "geom", "site", "camera", "light", "material", "equality", "tendon", "actuator", "sensor", "skin")
TOLERANCE = 1e-9
# 2.3.7 put a cable's bodies one edge's length too far on; 3.0 mended that, and edges are single precision
OTHER_TOLERANCES = MappingProxyType({"legacy_cable": 1e-7})


def values(model, data, names) -> dict[str, np.ndarray]:
    """Everything compared, of an official or of our model; names: kind -> names in id order."""
    found = {"counts": np.array([int(getattr(model, name)) for name in COUNTS])}
    found |= {name: np.array(getattr(model, name)) for name in FIELDS}
    found |= {name: _rows(getattr(data, name)) for name in POSITIONS}
    found["names"] = np.array("\n".join(f"{kind} {name}" for kind in KINDS for name in names[kind]))
    return found


def _rows(array) -> np.ndarray:
    """One row for each element, as the measure of agreement takes them."""
    return np.array(array).reshape(len(array), -1) if len(array) else np.zeros((0, 3))


def load_recorded(name: str) -> dict[str, np.ndarray]:
    """The recorded values of a corpus model."""
    with np.load(RECORDED) as archive:
        return {key.partition("/")[2]: archive[key] for key in archive.files if key.startswith(name + "/")}


def compare_recorded(name: str, model) -> tuple[int, dict[str, float]]:
    """(number of recorded values compared, {value: rel} of those that our model misses)."""
    from physics.engine.kinematics.kinematics import kinematics
    from physics.model.data import Data
    from tests.oracle.compare import rel

    data = Data(model)
    kinematics.plain(model, data)
    ours, off = values(model, data, model.names), {}
    recorded = load_recorded(name)
    for key, value in recorded.items():
        if key == "names":
            distance = 0.0 if str(ours[key]) == str(value) else float("inf")
        else:
            distance = rel(ours[key], value)
        if distance > OTHER_TOLERANCES.get(name, TOLERANCE):
            off[key] = distance
    return len(recorded), off


def record(manifest: Path) -> None:
    """Run by an interpreter that has MuJoCo 2.3.7."""
    import mujoco

    found = {}
    for row in json.loads(manifest.read_text())["models"]:
        if row["oracle"] != mujoco.__version__:
            continue
        model = mujoco.MjModel.from_xml_path(str(manifest.parent / row["main"]))
        data = mujoco.MjData(model)
        mujoco.mj_kinematics(model, data)
        kinds = {kind: getattr(mujoco.mjtObj, f"mjOBJ_{kind.upper()}") for kind in KINDS}
        sizes = dict(zip(KINDS, ("nbody", "njnt", "ngeom", "nsite", "ncam", "nlight", "nmat", "neq", "ntendon", "nu", "nsensor", "nskin")))
        names = {kind: [mujoco.mj_id2name(model, kinds[kind], i) or "" for i in range(getattr(model, sizes[kind]))] for kind in KINDS}
        found |= {f"{row['name']}/{key}": value for key, value in values(model, data, names).items()}
    RECORDED.parent.mkdir(exist_ok=True)
    np.savez_compressed(RECORDED, **found)


def main(arguments: list[str]) -> None:
    from tests.oracle.corpus import corpus_dir

    with tempfile.TemporaryDirectory() as folder:
        python = arguments[0] if arguments else str(Path(folder) / "bin" / "python")
        if not arguments:
            venv.create(folder, with_pip=True)
            subprocess.run([python, "-m", "pip", "install", "-q", f"mujoco=={ORACLE}", "numpy<2"], check=True)
        subprocess.run([python, __file__, "--record", str(corpus_dir() / "manifest.json")], check=True, cwd=folder)


if __name__ == "__main__":
    record(Path(sys.argv[2])) if sys.argv[1:2] == ["--record"] else main(sys.argv[1:])
