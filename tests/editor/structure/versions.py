"""What tests of structural operations share: versions of texts and of model files, what they compile to, and that an edit is taken back byte for byte."""
from pathlib import Path

import numpy as np

import physics
from editor.edits.patch import apply, inverse
from editor.edits.version import Version
from editor.structure.draft import Change
from physics.compiler.compile import compile_root
from physics.mjcf.reader import read, read_text


def of(text: str, **files: str) -> Version:
    """A version of a text, and of files by their names without '.xml'."""
    version = Version.of({"/m/main.xml": text, **{f"/m/{name}.xml": inside for name, inside in files.items()}}, "/m/main.xml", "/m")
    assert not version.read.errors, version.read.errors
    return version


def opened(path: Path, crlf: bool = False) -> Version:
    """A version of a model file with what it includes; crlf: all of it with other line ends, as files from elsewhere have."""
    path = Path(path)
    texts = {key: text.replace("\n", "\r\n") if crlf else text for key, text in read(str(path)).sources.items()}
    return Version.of(texts, str(path), str(path.parent))


def one(version: Version, tag: str, name: str | None = None, k: int = 0) -> int:
    """The id of an element by tag and name (or class)."""
    found = [e for e in version.root.walk() if e.tag == tag and (name is None or name in (e.name, e.attrs.get("class")))]
    return found[k].id


def after(version: Version, change: Change) -> Version:
    """The version after a change, which is taken back byte for byte."""
    texts = dict(version.texts) | {file: version.texts.get(file, "") for file in change.edit.files}
    new = texts | apply(texts, change.edit)
    back = new | apply(new, inverse(change.edit, texts))
    assert back == texts
    result = Version.of(new, version.main, version.base_dir, version.carried(change.edit))
    for file, start in change.places:
        assert any(e.origin.file == file and e.origin.start == start for e in result.root.walk())
    return result


def compiled(version: Version):
    """The Model of a version. Raises ModelError."""
    files = {key: text for key, text in version.texts.items() if key != version.main}
    return compile_root(read_text(version.texts[version.main], version.main, version.base_dir, files))


def world(model) -> dict[tuple[str, object], np.ndarray]:
    """Where things are in the world at qpos0: (kind, name or number) -> position and rotation matrix (12)."""
    physics.ensure_kernels()
    d = physics.Data(model)
    d.qpos[:] = model.qpos0
    physics.forward(model, d)
    out = {}
    for kind, pos, mat in (("body", d.xpos, d.xmat), ("geom", d.geom_xpos, d.geom_xmat), ("site", d.site_xpos, d.site_xmat), ("camera", d.cam_xpos, d.cam_xmat)):
        for i, name in enumerate(model.names[kind]):
            out[kind, name or i] = np.concatenate((np.ravel(pos[i]), np.ravel(mat[i])))
    for i, name in enumerate(model.names["joint"]):
        out["joint", name or i] = np.concatenate((np.ravel(d.xanchor[i]), np.ravel(d.xaxis[i])))
    for i, name in enumerate(model.names["light"]):
        out["light", name or i] = np.concatenate((np.ravel(d.light_xpos[i]), np.ravel(d.light_xdir[i])))
    return out


def same_world(before, now, tolerance: float = 1e-12, without=()) -> None:
    """Named things of both models are at the same places."""
    a, b = world(before), world(now)
    round_ones = {("geom", name) for i, name in enumerate(before.names["geom"]) if before.geom_type[i] in (2, 3, 5)}
    follow = {(kind, name) for kind, modes in (("camera", before.cam_mode), ("light", before.light_mode)) for i, name in enumerate(before.names[kind]) if modes[i]}
    for key in a.keys() & b.keys() - set(without) - follow:      # what follows a body's centre of mass moves with that
        if isinstance(key[1], str):
            parts = slice(None) if key not in round_ones else [0, 1, 2, 5, 8, 11]       # how a capsule lies about its axis means nothing
            assert np.allclose(a[key][parts], b[key][parts], rtol=0, atol=tolerance), (key, np.abs(a[key] - b[key]).max())


FIELDS = ("nq", "nv", "nu", "na", "nbody", "njnt", "ngeom", "nsite", "nsensor", "neq", "ntendon", "nexclude", "npair", "nkey")
ARRAYS = ("qpos0", "body_pos", "body_quat", "body_mass", "body_inertia", "body_ipos", "geom_pos", "geom_size", "jnt_pos", "jnt_axis", "jnt_range", "dof_damping",
          "actuator_gainprm",           "actuator_biasprm", "key_qpos", "key_ctrl", "site_pos", "cam_pos", "tendon_length0")


def agrees_officially(version: Version, mujoco, folder: Path) -> None:
    """The official compiler makes the same model of the texts. folder: to write them to, with the assets that they name there already."""
    main = folder / Path(version.main).name
    for key, text in version.texts.items():
        where = folder / Path(key).relative_to(Path(version.main).parent)
        where.parent.mkdir(parents=True, exist_ok=True)
        where.write_text(text, newline="")
    official, ours = mujoco.MjModel.from_xml_path(str(main)), compiled(version)
    for name in FIELDS:
        assert getattr(official, name) == getattr(ours, name), name
    for name in ARRAYS:
        assert np.allclose(np.asarray(getattr(official, name)), np.asarray(getattr(ours, name)).reshape(np.shape(getattr(official, name))), rtol=1e-9, atol=1e-9), name
