"""What compiled code may not do is refused before it can run, with the kernel's name and place."""
import re

import pytest

from physics.kernels import decorators
from physics.kernels.decorators import KernelError, helper, kernel

BAD = {
    "allocates": ("a = np.zeros(3)\n    d.time = a[0] + m.nbody", "forbidden|NRT|Untyped|allocat"),
    "raises": ("if m.nbody < 0:\n        raise ValueError('x')", r"line \d+: raise or assert"),
    "asserts": ("assert m.nbody > 0", r"line \d+: raise or assert"),
    "prints": ("print(m.nbody)", "print|forbidden"),
    "misspells": ("d.time = m.nbodyy", "nbodyy"),
    "writes_model": ("m.body_mass[0] = 1.0", "setitem"),
    "writes_model_scalar": ("m.opt_timestep = 1.0", "read-only|cannot be set"),
    "rebinds": ("d.qpos = 1.0", "qpos"),
    "changes_type": ("x = (0.0, 1.0)\n    if m.nbody > 3:\n        x = 5.0\n    d.time = x", "unify"),
    "wrong_row": ("d.time = ld4(d.xpos, 0)[0]", "ld4|No implementation|Invalid use"),
    "too_many_indices": ("d.time = d.xpos[0, 0, 0]", "getitem|No implementation|Invalid use"),
}


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Message per bad kernel, all compiled in one process."""
    from tests.physics.kernels.conftest import Workshop

    workshop = Workshop(tmp_path_factory.mktemp("bad"), workers=1)
    text = "import numpy as np\nfrom physics.kernels.decorators import kernel\nfrom physics.kernels.rows import ld4\n"
    for name, (body, _why) in BAD.items():
        text += f"\n@kernel()\ndef {name}(m, d):\n    {body}\n"
    workshop.write("bad.py", text)
    code = """
import bad
from physics.kernels import lower, decorators
out = {}
for k in list(decorators.KERNELS.values()):
    try:
        lower.compile_kernel(k)
        out[k.__name__] = None
    except decorators.KernelError as error:
        out[k.__name__] = str(error)
print(json.dumps(out))
"""
    return workshop.run(code)


@pytest.mark.parametrize("name", BAD)
def test_refused_with_name_place_and_reason(answers, name):
    message = answers[name]
    assert message is not None, "it compiled"
    assert re.match(rf"{name} \(.*bad\.py:\d+\)", message)
    assert re.search(BAD[name][1], message), message


def test_failed_build_names_the_kernel(workshop):
    workshop.write("bad.py", "from physics.kernels.decorators import kernel\n@kernel()\ndef bad(m, d):\n    d.time = m.nowhere\n"
                   "@kernel()\ndef good(m, d):\n    d.time = 1.0\n")
    message = workshop.run("try:\n    load.ensure(['bad'])\nexcept RuntimeError as e:\n    print(json.dumps(str(e)))")
    assert "\x1b" not in message
    assert "bad__bad" in message and "nowhere" in message and "bad__good" not in message
    assert list(workshop.cache.glob("bad__good*.object"))


def test_another_numba_is_refused_with_what_to_do(workshop):
    code = """
import numba
from physics.kernels import lower
numba.__version__ = '0.1'
try:
    lower.check_version()
except RuntimeError as error:
    print(json.dumps(str(error)))
"""
    message = workshop.run(code)
    assert "0.1" in message and f"pip install numba=={decorators.NUMBA_VERSION}" in message


def test_signatures_that_do_not_fit_are_refused():
    for bad in ("m", "m d i", "m x"):
        with pytest.raises(KernelError, match="does not fit"):
            @kernel(bad)
            def two(m, d):
                pass


def test_defaults_stars_and_closures_are_refused():
    with pytest.raises(KernelError, match="default"):
        @kernel()
        def default(m, d=1):
            pass
    with pytest.raises(KernelError, match="default"):
        @helper
        def star(*a):
            pass
    local = 1.0
    with pytest.raises(KernelError, match="close over"):
        @kernel()
        def closed(m, d):
            d.time = local


TABLE = [1.0, 2.0]


def undeclared(x):
    return x


def key_of(fn, args="m d"):
    k = decorators.Kernel(fn, args, "", decorators.CONTRACT)
    try:
        return decorators.keys([k.symbol])
    finally:
        del decorators.KERNELS[k.symbol]


def test_globals_that_could_change_unnoticed_are_refused():
    def with_list(m, d):
        d.time = TABLE[0]

    def with_function(m, d):
        d.time = undeclared(1.0)

    with pytest.raises(KernelError, match="'TABLE' is a list"):
        key_of(with_list)
    with pytest.raises(KernelError, match="'undeclared' is a function without @helper"):
        key_of(with_function)


def test_inner_functions_are_refused():
    def with_lambda(m, d):
        f = lambda x: x  # noqa: E731
        d.time = f(1.0)

    with pytest.raises(KernelError, match="lambda or comprehension"):
        key_of(with_lambda)


