"""The cache: damaged files, several builders, what is kept."""
import os
import time

import pytest

from physics.kernels import cache
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
    workshop = Workshop(tmp_path_factory.mktemp("cache"), workers=1)
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
        pack, = built.cache.glob("kernels-*")
        damage(pack, how)
        assert built.run(RUN) == [0, 4.0, False], how
    pack, = built.cache.glob("kernels-*")
    damage(pack, "cut")
    damage(next(built.cache.glob("work__one-*.object")), "cut")
    assert built.run(RUN) == [1, 4.0, False]


def test_damaged_object_file_is_never_handed_to_the_loader(tmp_path):
    path = tmp_path / "x.object"
    for how in ("flip", "cut", "empty"):
        cache.store_object(str(tmp_path), "x", bytes(range(200)))
        assert cache.read_object(str(tmp_path), "x") == bytes(range(200))
        damage(path, how)
        assert cache.read_object(str(tmp_path), "x") is None, how
    assert cache.read_object(str(tmp_path), "y") is None


def test_a_good_file_under_another_name_is_not_believed(built):
    one, two = sorted(built.cache.glob("work__*.object"))
    pack, = built.cache.glob("kernels-*")
    pack.unlink()
    two.write_bytes(one.read_bytes())
    assert built.run(RUN) == [1, 4.0, False]
    built.write("other.py", WORK.replace("1.0", "5.0"))
    built.run("load.ensure(['other'])\nprint(0)")
    other, = set(built.cache.glob("kernels-*")) - {pack}
    pack.write_bytes(other.read_bytes())
    assert built.run(RUN) == [0, 4.0, False]


def test_files_that_hold_other_kernels_than_they_say_are_replaced(built):
    forge = """
from physics.kernels import cache, decorators
import work
keys = decorators.keys(list(decorators.KERNELS))
one = cache.read_object(cache.kernel_folder(), keys["work__one"])
cache.store_pack(cache.kernel_folder(), load._pack(keys), [one])
print(0)
"""
    built.run(forge)
    assert built.run(RUN) == [2, 4.0, False]
    assert built.run(RUN) == [0, 4.0, False], "and stay so"


def test_a_lost_object_file_is_not_missed_while_the_pack_is_there(built):
    for path in built.cache.glob("*.object"):
        path.unlink()
    assert built.run(RUN) == [0, 4.0, False]


def test_two_programs_may_build_at_once(workshop):
    workshop.workers = None
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
    stray = built.cache / "other__kernel-0.object"
    stray.write_bytes(b"x")
    for path in (stray, next(built.cache.glob("work__one*.object"))):
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
    assert 1 <= len(list(workshop.cache.glob("many__*.object"))) < 10
    assert workshop.run("r = load.ensure(['many'])\nimport many\nprint(json.dumps([r['compiled'] > 20, many.k29(1.0)]))") == [True, 30.0]


def test_workers_end_quietly_when_the_program_does(workshop):
    workshop.write("many.py", "from physics.kernels.decorators import kernel\n"
                   + "".join(f"\n@kernel('f', 'f')\ndef k{n}(x):\n    return x + {n}.0\n" for n in range(30)))
    process = workshop.command("import os\nload.ensure(['many'], lambda *_: os._exit(7), 2)")
    _out, err = process.communicate(timeout=120)   # until the workers have closed it too
    assert process.returncode == 7 and err == ""
