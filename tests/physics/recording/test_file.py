"""Recordings as files: everything comes back to the bit, any HDF5 reader finds its way, and a damaged or hostile file gives one clear error."""
import hashlib
import json
import subprocess
import sys
from dataclasses import replace
from types import MappingProxyType

import h5py
import numpy as np
import pytest

from physics.recording import file
from physics.recording.errors import RecordingError
from physics.recording.first_bytes import BEFORE, is_recording
from tests.physics.recording.made import LAYOUT, block, branch, differences, piece, rich


@pytest.fixture
def path(tmp_path):
    target = tmp_path / "run.h5"
    file.save(rich(), target)
    return target


def sealed(path):
    """Put the right checksum before a file that a test has changed."""
    check = hashlib.sha256(path.read_bytes()[BEFORE:]).hexdigest()
    with open(path, "r+b") as raw:
        raw.write(file._first_bytes(check, path.stat().st_size))


def test_everything_comes_back(path):
    shares = []
    assert differences(file.load(path, shares.append), rich()) == [] and shares == sorted(shares) and shares
    assert is_recording(path)
    file.save(file.load(path), path)
    assert differences(file.load(path), rich()) == []
    assert [p.name for p in path.parent.iterdir()] == ["run.h5"]


def test_pieces_that_lie_side_by_side_are_one(tmp_path):
    memory = block(30)
    parts = branch(1, piece(memory, 0, 10, 0), piece(memory, 10, 20, 10))
    made = replace(rich(), branches=(parts,), shown=1)
    file.save(made, tmp_path / "a.h5")
    back = file.load(tmp_path / "a.h5")
    assert differences(made, back) == [] and [len(p.rows) for p in back.line.track.pieces] == [30]


def test_any_reader_of_hdf5_finds_its_way(path):
    line = rich().branch(2)
    with h5py.File(path) as found:
        qpos = found["branches/2/pieces/0/qpos"]
        assert (qpos[:] == line.track.pieces[0].columns("qpos")).all() and qpos.compression == "gzip" and qpos.shuffle
        assert (found["branches/2/pieces/1/time"][:] == line.track.pieces[1].time).all()
        assert "act" not in found["branches/2/pieces/0"] and found["branches/2/pieces/0"].attrs["number"] == 5
        inputs = found["inputs"]
        assert [kind.decode() for kind in inputs["kind"]] == ["install", "steps", "command", "steps"] and inputs["number"][3] == 206
        lines = inputs["lines"][:].tobytes().decode().split("\n")
        assert json.loads(lines[2])[3] == {"#": "SetCtrl", "index": 0, "value": 0.1}
        assert found["about"].attrs["linkwork"] == "0.1.0" and found.attrs["shown"] == 2
        assert found["branches/2/held/0/qfrc_applied"][1].tolist() == [1.5, 1.5]


def test_contents_are_kept_once(tmp_path):
    data = np.random.default_rng(0).bytes(1 << 20)
    models = tuple(replace(rich().models[0], number=k, data=data) for k in range(20))
    file.save(replace(rich(), models=models), tmp_path / "a.h5")
    assert (tmp_path / "a.h5").stat().st_size < 1.3 * len(data)
    assert all(model.content() == data for model in file.load(tmp_path / "a.h5").models)


def test_what_cannot_be_written_leaves_the_old_file(path, monkeypatch):
    old = path.read_bytes()
    monkeypatch.setattr(file, "_write_bookmarks", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space"):
        file.save(rich(), path)
    assert path.read_bytes() == old and len(list(path.parent.iterdir())) == 1


def test_a_summary_without_states_is_quick_and_right(path):
    found = file.load(path, states=False)
    assert found.steps == rich().steps and file.summary(found)["inputs"] == {"steps": 2, "install": 1, "SetCtrl": 1}
    assert found.line.track.pieces[0].time[-1] == rich().line.track.pieces[0].time[-1]


# ---------------------------------------------------------------- damage

def test_no_flipped_byte_and_no_cut_goes_unnoticed(path):
    whole = path.read_bytes()
    r = np.random.default_rng(0)
    for at in (0, 20, 30, 100, 511, 512, len(whole) - 1, *r.integers(len(whole), size=60)):
        broken = bytearray(whole)
        broken[at] ^= 1 << r.integers(8)
        path.write_bytes(broken)
        with pytest.raises(RecordingError) as told:
            file.load(path)
        assert str(path) in str(told.value)
    for end in (0, 10, 511, 512, 1000, len(whole) - 1):
        path.write_bytes(whole[:end])
        with pytest.raises(RecordingError, match="cut short|no recording|no sense"):
            file.load(path)
    path.write_bytes(whole + b"\0")
    with pytest.raises(RecordingError, match="added to"):
        file.load(path)


@pytest.mark.parametrize("content, words", [
    (b"", "no recording"), (b"<mujoco/>", "no recording"), (b"\x89HDF\r\n\x1a\n" + bytes(600), "no recording"), (b"Linkwork recording 2\n" + bytes(600), "later version"),
    (b"Linkwork recording 1\n" + bytes(600), "should have")])
def test_other_files_are_refused(tmp_path, content, words):
    (tmp_path / "a.h5").write_bytes(content)
    with pytest.raises(RecordingError, match=words):
        file.load(tmp_path / "a.h5")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        file.load(tmp_path / "a.h5")
    assert not is_recording(tmp_path / "a.h5") and not is_recording(tmp_path)


def _delete(name):
    def change(found):
        del found[name]
    return change


def _replace(name, data, **attrs):
    def change(found):
        old = dict(found[name].attrs)
        del found[name]
        made = found.create_dataset(name, data=data)
        made.attrs.update({**old, **attrs})
    return change


def _attribute(name, key, value):
    def change(found):
        found[name].attrs[key] = value
    return change


def _link(name, link):
    def change(found):
        del found[name]
        found[name] = link
    return change


def _external(found):
    del found["note"]
    found.create_dataset("note", (10,), "u1", external=[("/etc/hostname", 0, 10)])


def _virtual(found):
    del found["branches/2/pieces/0/time"]
    layout = h5py.VirtualLayout((200,), "<f8")
    layout[:] = h5py.VirtualSource("/etc/hostname", "x", (200,))
    found.create_virtual_dataset("branches/2/pieces/0/time", layout)


@pytest.mark.parametrize("change, words", [
    (_delete("branches/2/pieces/0/qpos"), "branches/2/pieces/0/qpos: is missing"), (_delete("inputs"), "inputs"), (_delete("branches/2"), "no state"), (_delete("branches"), "branches: is missing"),
    (_replace("branches/2/pieces/0/qpos", np.zeros((199, 3))), "shape"), (_replace("branches/2/pieces/0/qpos", np.zeros((200, 3), "f4")), "type float32"),
    (_replace("branches/2/pieces/0/qpos", np.zeros(200)), "not an array as it should be"), (_replace("branches/2/pieces/0/qpos", np.array([[b"x"] * 3] * 200)), "not an array"),
    (_replace("inputs/lines", np.array([255], np.uint8)), "no sense"), (_replace("note", np.array([200, 200], np.uint8)), "no sense"),
    (_attribute("branches/2/pieces/0", "fields", "{"), "no sense"), (_attribute("branches/2/pieces/0", "fields", '{"qpos":-1}'), "fewer than no numbers"),
    (_attribute("branches/2/pieces/0", "fields", '{"qpos":99999999999}'), "absurdly many"), (_attribute("/", "version", 7), "version 7"), (_attribute("/", "shown", 9), "no state"),
    (_attribute("models/0/texts/0", "blob", "../../etc"), "no checksum"), (_attribute("models/0/texts/0", "blob", "0" * 64), "blobs/0000"),
    (_replace("models/0/parts", np.array(["0" * 64], "S64")), "is missing"), (_replace("branches/2/held/0/number", np.arange(2)), "differ in length"),
    (_replace("branches/2/marks/time", np.zeros(1)), "differ in length"), (_link("note", h5py.ExternalLink("/etc/hostname", "x")), "note: is missing"),
    (_link("note", h5py.SoftLink("/log")), "note: is missing"), (_external, "note: is not an array"), (_virtual, "time"),
])
def test_a_hostile_file_gives_one_error_that_names_the_field(path, change, words):
    with h5py.File(path, "r+") as found:
        change(found)
    sealed(path)
    with pytest.raises(RecordingError, match=words) as told:
        file.load(path)
    assert str(told.value).startswith(str(path))


def test_without_h5py_it_is_said_what_is_missing(tmp_path):
    code = "import sys; sys.modules['h5py'] = None\nfrom physics.recording import file\nfile.load('x.h5')"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "RecordingError: recordings need the package h5py" in found.stderr


def test_a_field_of_no_numbers_is_no_field(tmp_path):
    assert LAYOUT.parts["act"] == 0 and isinstance(LAYOUT.parts, MappingProxyType)
