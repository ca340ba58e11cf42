"""OBJ files read by compiled code: to the last bit what the reader in NumPy gives, also of damaged files; what is not plain is left to that reader."""
import random
from dataclasses import fields

import numpy as np
import pytest

import physics
from physics.compiler.decode import obj_plain
from physics.compiler.decode.obj import read_obj
from physics.compiler.decode.raw import MeshFileError, RawMesh
from physics.compiler.native import mesh_text
from physics.kernels import decorators

compiled = pytest.mark.skipif(decorators.NOJIT, reason="compares with compiled code")
POINTS = "v 0 0 0\nv 1.5 -.25 0.1\nv 1 1e-3 0\nv -0.0 1 2.5E+1\nv 0.5 2. 0\nv -1 0.5 -0\n"
MORE = "vt 0.25 0.5\nvt 1 0 0\nvt 0 1\nvn 0 0 1\nvn 1 0 0\nvn 0.577350 0.577350 0.577350\n"
EXAMPLES = (
    POINTS + "f 1 2 3\nf 3 4 5 6\n",
    POINTS + MORE + "usemtl red\nf 1/1/1 2/2/2 3/3/3\nf 4/1/1 5/2/1 6/3/2\n",
    "# made\no first\n" + POINTS + MORE + "f 1//1 2//2 -1//-1\nf 2//1 3//2 4//3 5//1 6//2\ng second\nf 1//1 3//2 5//3\n",
    POINTS.replace("\n", "\r\n") + "  vt 0.1\t0.2\n" + "f 1/1 2/1 3/1\r\n\r\nf  -1/1   -2/1 -3/-1  \r\n",
    POINTS + "f 1 2 3\nv 7 8 9\nf 1 2 7\nf -1 1 2\nf 1 2\nf 1\nf \nf 4 5 6",
)
ODD = (" ", "\n", "\t", "\r", "\x0b", "\0", "/", "//", "-", "+", ".", "e", "e5", "0", "00", "1e400", "-1e-400", "nan", "inf", "1_0", "0x1", "#", "\\\n", "v ", "vt", "vn",
       "vp 1 2\n", "f ", "g ", "o ", "g\n", "99999999999", "2147483648", "-7", "1/2/3/4", "1/", "v 1 2\n", "v 1 2 3 4 5\n", "v 1 2 3x\n", "v\n", "f 1 2 3\n", "f 1/0 2 3\n",
       "123456789012345678901234567890.5 ", "0.1234567890123456789", "f" + " 1" * 1001 + "\n", "é", "3.4e38", "4e38", "1e-45")


@pytest.fixture(autouse=True, scope="module")
def kernels():
    physics.ensure_kernels()


def reading(data: bytes) -> RawMesh | str:
    """What is read, or why nothing is."""
    try:
        return read_obj(data)
    except MeshFileError as problem:
        return str(problem)


def slowly(data: bytes, monkeypatch) -> RawMesh | str:
    """The same without compiled code."""
    with monkeypatch.context() as patch:
        patch.setattr(mesh_text.read_lines, "addr", 0)
        return reading(data)


def assert_same(one: RawMesh | str, two: RawMesh | str) -> None:
    """Equal in every bit, or refused with the same words."""
    if isinstance(one, str) or isinstance(two, str):
        assert one == two
        return
    for name in (f.name for f in fields(RawMesh)):
        a, b = getattr(one, name), getattr(two, name)
        if isinstance(a, np.ndarray):
            assert a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes(), name
        else:
            assert a == b, name


def damaged(text: str, rng: random.Random) -> bytes:
    """A few pieces cut out, doubled, or replaced by odd ones."""
    for _ in range(rng.randint(1, 3)):
        at, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        end = min(end, at + rng.choice((0, 1, 1, 3, 20)))
        text = text[:at] + rng.choice((*ODD, text[at:end] * 2, "")) + text[end:] or "v"
    return text.encode()


@compiled
@pytest.mark.parametrize("text", EXAMPLES)
def test_a_plain_file_reads_as_without_compiled_code(text, monkeypatch):
    assert obj_plain.read(text.encode()) is not None
    fast = reading(text.encode())
    assert len(fast.face) > 0
    assert_same(fast, slowly(text.encode(), monkeypatch))


@compiled
def test_damaged_files_read_as_without_compiled_code(monkeypatch):
    rng, plain, refused = random.Random(5), 0, 0
    for _ in range(1500):
        data = damaged(rng.choice(EXAMPLES), rng)
        fast = reading(data)
        plain += obj_plain.read(data) is not None
        refused += isinstance(fast, str)
        assert_same(fast, slowly(data, monkeypatch))
    assert plain > 200 and refused > 100


@compiled
@pytest.mark.parametrize("form", ["{:.6f}", "{:.17g}", "{:.9e}", "{:.25f}", "{:.3g}", "{:.20e}", "{:+.12f}"])
def test_numbers_round_as_without_compiled_code(form, monkeypatch):
    rng = np.random.default_rng(6)
    values = rng.normal(size=600) * 10.0 ** rng.integers(-12, 12, 600)
    between = np.nextafter(values[:300].astype(np.float32), np.float32(np.inf)).astype(np.float64)
    between = np.concatenate((values, 0.5 * (between + values[:300].astype(np.float32))))   # halfway from one number in single precision to the next
    text = "".join("v " + " ".join(form.format(x) for x in row) + "\n" for row in between.reshape(-1, 3)).encode()
    assert_same(reading(text), slowly(text, monkeypatch))
    assert np.array_equal(reading(text).vert.ravel(), np.array([float(form.format(x)) for x in between]).astype(np.float32))


@compiled
@pytest.mark.parametrize("line", ["v 1 2 3x", "v 1 nan 2", "vt 1 .", "v 1e 2 3", "v 1e300 0 0", "v 1-2 3 4", "vn 1\x0b2 3", "f 1 2 0", "f 1 2 3/", "f 1 2 3/0",
                                  "f 1/1/1/1 2 3", "f 1.0 2 3", "f 1 2 -7", "f 1 2 9999999999", "f 1 2 +3", "\x0bv 1 2 3", "f" + " 1" * 1001])
def test_what_is_not_plain_is_left(line, monkeypatch):
    data = (POINTS + line + "\nf 1 2 3\n").encode()
    assert obj_plain.read(data) is None
    assert_same(reading(data), slowly(data, monkeypatch))


@pytest.mark.nojit
def test_lines_say_what_they_say():
    read = obj_plain.read((POINTS + MORE + "f 1/2 2/3/1 -1\nf 6 5 4 3\ng x\nf 1 2 3").encode())
    vert, texcoord, normal = read.vectors
    np.testing.assert_array_equal(vert, np.array([[0, 0, 0], [1.5, -.25, .1], [1, 1e-3, 0], [0, 1, 25], [.5, 2, 0], [-1, .5, 0]], np.float32))
    np.testing.assert_array_equal(texcoord, np.array([[.25, .5], [1, 0], [0, 1]], np.float32))
    assert normal.tolist()[:2] == [[0, 0, 1], [1, 0, 0]] and normal[2, 0] == np.float32(0.57735)
    assert [column.tolist() for column in read.corners] == [[0, 1, 5, 5, 4, 3, 2], [1, 2, -1, -1, -1, -1, -1], [-1, 0, -1, -1, -1, -1, -1]] and read.counts.tolist() == [3, 4]
