"""The electric fence itself: it sees a read outside an array, and a few composed models run inside it. All 5,000: ./test.sh --long fence."""
import signal
import subprocess
import sys

import pytest

from tests.long.fence import run

OUTSIDE = """
import ctypes, sys
import physics
from tests.long.fenced import fence, refence
fence("{side}")
m = physics.load_string("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
refence(m, "{side}")
d = physics.Data(m)
for struct, name in ((m, "cpair_geom"), (m, "jnt_range"), (d, "qvel"), (d, "contact_dist")):
    array = getattr(struct, name)
    if array.size:
        ctypes.c_char.from_address(array.ctypes.data).value, ctypes.c_char.from_address(array.ctypes.data + array.nbytes - 1).value
print("inside", flush=True)
array = getattr({owner}, "{name}")
ctypes.c_char.from_address(array.ctypes.data + {place}).value
print("outside", flush=True)
"""


@pytest.mark.parametrize("owner,name", [("m", "jnt_range"), ("m", "geom_type"), ("d", "qvel"), ("d", "contact_dist"), ("d", "efc_J"), ("m", "cpair_geom")])
@pytest.mark.parametrize("side,place", [("end", "array.nbytes"), ("start", "-1")])
def test_an_access_outside_an_array_ends_the_process(owner, name, side, place):
    program = OUTSIDE.format(side=side, owner=owner, name=name, place=place)
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.stdout.split() == ["inside"] and found.returncode == -signal.SIGSEGV, found.stderr


def test_models_run_inside_the_fence():
    found = list(run(0, 8)) + list(run(100_000, 16))
    assert len(found) == 24 and sum(what == "ran" for _seed, what, _said in found) > 14
    assert [row for row in found if row[1] not in ("ran", "no model")] == []
