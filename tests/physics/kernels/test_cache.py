"""The cache: damaged files, several builders, what is kept."""
import os
import time

import pytest

from physics.kernels import load
from tests.physics.kernels.conftest import Workshop

WORK = """
from physics.kernels.decorators import kernel

@kernel('f', 'f')
def one(x):
    return x + 1.0

@kernel('f', 'f')
def two(x):
    return one(x) * 2.0
"""
RUN = """
r = load.ensure(['work'])
import work as w
print(json.dumps([r['compiled'], w.two(1.0), 'numba' in sys.modules]))
"""


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    workshop = Workshop(tmp_path_factory.mktemp("cache"))
    workshop.write("work.py", WORK)
    assert workshop.run(RUN) == [2, 4.0, False]
    return workshop


@pytest.fixture
def built(original, tmp_path):
    return original.duplicate(tmp_path)


def damage(path, how):
    raw = path.read_bytes()
    path.write_bytes({"flip": raw[:100] + bytes([raw[100] ^ 1]) + raw[101:], "cut": raw[:len(raw) // 2], "empty": b""}[how])


def test_damaged_files_are_noticed_and_rebuilt(built):
    for how in ("flip", "cut", "empty"):
        pack, = built.cache.glob("pack-*")
        damage(pack, how)
        assert built.run(RUN) == [0, 4.0, False], how
    pack, = built.cache.glob("pack-*")
    damage(pack, "cut")
    damage(next(built.cache.glob("work__one-*.o")), "cut")
    assert built.run(RUN) == [1, 4.0, False]


def test_damaged_object_file_is_never_handed_to_the_loader(tmp_path):
    path = tmp_path / "x.o"
    for how in ("flip", "cut", "empty"):
        load.write_blob(str(path), bytes(range(200)))
        assert load.read_blob(str(path)) == bytes(range(200))
        damage(path, how)
        assert load.read_blob(str(path)) is None and not path.exists(), how
    assert load.read_blob(str(path)) is None


def test_a_lost_object_file_is_not_missed_while_the_pack_is_there(built):
    for path in built.cache.glob("*.o"):
        path.unlink()
    assert built.run(RUN) == [0, 4.0, False]


def test_two_programs_may_build_at_once(workshop):
    workshop.write("work.py", WORK)
    both = [workshop.command(RUN) for _ in range(2)]
    for process in both:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        assert out.splitlines()[-1] == "[2, 4.0, false]"
    assert workshop.run(RUN) == [0, 4.0, False]
    assert not list(workshop.cache.glob("*.tmp"))


def test_progress_counts_every_compiled_kernel_and_names_it(workshop):
    workshop.write("work.py", WORK)
    calls = workshop.run("calls = []\nload.ensure(['work'], lambda *a: calls.append(a))\nprint(json.dumps(calls))")
    assert [c[:2] for c in calls] == [[1, 2], [2, 2]]
    assert {c[2] for c in calls} == {"work__one", "work__two"}


def test_modules_given_first_are_compiled_first(workshop):
    workshop.write("work.py", WORK)
    workshop.write("later.py", "from physics.kernels.decorators import kernel\n@kernel('f', 'f')\ndef big(x):\n"
                   + "".join(f"    x = x * {k}.5 + 1.0\n" for k in range(40)) + "    return x\n")
    calls = workshop.run("calls = []\nload.ensure(['work', 'later'], lambda *a: calls.append(a[2]), 1)\nprint(json.dumps(calls))")
    assert calls[-1] == "later__big" and len(calls) == 3


def test_files_unused_for_long_go_when_something_is_built(built):
    old = time.time() - 100 * 86400
    stray = built.cache / "other__kernel-0.o"
    stray.write_bytes(b"x")
    for path in (stray, next(built.cache.glob("work__one*.o"))):
        os.utime(path, (old, old))
    built.edit("work.py", "* 2.0", "* 3.0")
    assert built.run(RUN) == [1, 6.0, False]
    assert not stray.exists()


def test_a_worker_that_dies_is_reported_with_the_kernel(workshop):
    workshop.write("work.py", WORK + "\nimport sys, os\nif 'numba' in sys.modules:\n    os._exit(3)\n")
    message = workshop.run("try:\n    load.ensure(['work'])\nexcept RuntimeError as e:\n    print(json.dumps(str(e)))")
    assert "worker died" in message and "exit status 3" in message and "work__" in message


def test_a_build_can_be_stopped_and_goes_on_later(workshop):
    text = "from physics.kernels.decorators import kernel\n"
    text += "".join(f"\n@kernel('f', 'f')\ndef k{n}(x):\n    return x + {n}.0\n" for n in range(30))
    workshop.write("many.py", text)
    code = """
class Stop(Exception):
    pass
def stop(done, total, symbol):
    raise Stop
try:
    load.ensure(['many'], stop, 1)
except Stop:
    print(json.dumps('stopped'))
"""
    assert workshop.run(code) == "stopped"
    assert 1 <= len(list(workshop.cache.glob("many__*.o"))) < 10
    assert workshop.run("r = load.ensure(['many'])\nimport many\nprint(json.dumps([r['compiled'] > 20, many.k29(1.0)]))") == [True, 30.0]
