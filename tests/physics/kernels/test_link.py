"""Merged object files: the same functions side by side, calls that reach their targets, and what is left alone."""
import ctypes
import math
import struct

import pytest

from physics.kernels import cache, decorators, link, load
from physics.kernels.decorators import KERNELS

pytestmark = pytest.mark.skipif(not link.one_block(), reason="kernels are merged on x86-64 with ELF only")
SHARED = """
from math import sin
from physics.kernels.decorators import kernel

TABLE = (1.5, 2.5, 4.0, 8.0)

@kernel('f', 'f')
def inner(x):
    return sin(x) + TABLE[0]

@kernel('f', 'f')
def other(x):
    return x - 1.0

@kernel('f', 'f')
def outer(x):
    return inner(x) * 2.0 + other(x)
"""


@pytest.fixture
def objects(sample):
    """symbol -> object file, of a module of kernels."""
    keys = decorators.keys([s for s, k in KERNELS.items() if k.module == sample.__name__])
    return {s: cache.read_object(cache.kernel_folder(), key) for s, key in keys.items()}


def symbols_of(data: bytes) -> dict[str, int]:
    one = link._Object(data)
    return {one.name(s).decode(): int(s["value"]) for s in one.symbols if s["info"] >> 4 and s["section"]}


def test_many_objects_become_one_that_exports_all(objects):
    merged, = link.merge(list(objects.values()))
    assert set(symbols_of(merged)) == set(objects)
    code = link._Object(merged)
    assert [k for k, part in enumerate(code.part) if part == ".text"] == [1]
    assert len(merged) < sum(map(len, objects.values()))


def test_kernels_lie_within_the_length_of_their_code(workshop):
    workshop.write("work.py", SHARED)
    places, value = workshop.run("""
load.ensure(['work'])
import work
from physics.kernels.decorators import KERNELS
print(json.dumps([[KERNELS['work__' + n].addr for n in ('inner', 'other', 'outer')], work.outer(0.5)]))""")
    assert max(places) - min(places) < 4096
    assert value == (math.sin(0.5) + 1.5) * 2.0 + (0.5 - 1.0)


def test_a_kernel_comes_before_those_it_calls_in_the_order_of_the_calls(objects):
    merged, = link.merge(list(objects.values()))
    at = {symbol.rpartition("__")[2]: value for symbol, value in symbols_of(merged).items()}
    assert at["set_mass"] < at["place"] < at["leaf"]
    assert symbols_of(link.merge(list(reversed(objects.values())))[0]).keys() == objects.keys()


def test_all_calls_and_constants_of_a_merged_object_reach_what_they_mean(workshop):
    """Each object loaded alone and all merged give the same numbers; functions outside (sine) are reached from either."""
    workshop.write("work.py", SHARED)
    code = """
from physics.kernels import link
{}
load.ensure(['work'])
import work
print(json.dumps([work.outer(x / 7).hex() for x in range(-20, 20)]))"""
    merged = workshop.run(code.format(""))
    for pack in workshop.cache.glob("pack-*"):
        pack.unlink()
    assert merged == workshop.run(code.format("link.merge = list"))


@pytest.mark.parametrize("damage", ["kind", "machine", "cut", "writable", "wanted"])
def test_an_object_that_is_not_understood_leaves_all_as_they_are(objects, damage):
    data = bytearray(objects["tests_physics_kernels_sample__place"])
    one = link._Object(bytes(data))
    if damage == "kind":
        struct.pack_into("<H", data, 16, 3)      # a shared library
    elif damage == "machine":
        struct.pack_into("<H", data, 18, 183)    # AArch64
    elif damage == "cut":
        del data[40:]
    elif damage == "writable":
        at = link._HEADER.unpack_from(data)[6] + one.part.index(".text") * link._SECTION.itemsize
        struct.pack_into("<Q", data, at + 8, 7)  # variables in place of code
    else:                                        # a relocation that wants one of the variables which nobody reads
        common = next(k for k, s in enumerate(one.symbols) if s["section"] == link._COMMON)
        table = next(s for s in one.sections if s["type"] == 4)
        struct.pack_into("<I", data, int(table["offset"]) + 12, common)
    asked = [objects["tests_physics_kernels_sample__leaf"], bytes(data)]
    assert link.merge(asked) is asked


def test_functions_that_no_object_holds_are_reached_however_far(objects):
    """A jump through a 64-bit constant stands for each, so that no distance can be too long."""
    merged = link._Object(link.merge([objects["tests_physics_kernels_sample__place"]])[0])   # without the kernel that it calls
    for section, rows in merged.relocations():
        wanted = merged.symbols[rows["symbol"]]
        outside = rows[(wanted["section"] == 0) & (wanted["info"] != 0)]
        assert set(outside["type"].tolist()) <= {1}, section   # 64-bit addresses only
    assert [merged.name(s) for s in merged.symbols if s["info"] and not s["section"]] == [b"tests_physics_kernels_sample__leaf"]


def test_stubs_stand_for_kernels_that_are_not_merged(objects, pair):
    """On a first start: what is there calls what is not, and is told."""
    m, d = pair
    name, leaf = "tests_physics_kernels_sample__place", "tests_physics_kernels_sample__leaf"
    engine = load._Engine(link.merge([objects[name]]), [leaf])
    ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(engine.address(name))(m._as_parameter_, d._as_parameter_)
    assert engine.stubbed_call() == leaf
    assert engine.stubbed_call() == ""
