"""The engine's kernels are made callable before those that only make loading a model quick."""
from importlib import import_module

import physics
from physics.compiler import native
from physics.kernels.decorators import KERNELS, keys
from physics.simulate.warm_up import ENGINE, HARD
from physics.warm_up import MODULES


def test_running_needs_none_of_the_compilers_kernels():
    assert MODULES == (*ENGINE, *native.MODULES, *HARD) and not set(ENGINE) & set(native.MODULES)
    for module in ENGINE:
        import_module(module)
    engine = [symbol for symbol, kernel in KERNELS.items() if kernel.module in ENGINE]
    assert engine and {KERNELS[symbol].module for symbol in keys(engine)} <= set(ENGINE)


def test_the_soft_engine_needs_none_of_the_hard_ones_kernels():
    for module in MODULES:
        import_module(module)
    others = [symbol for symbol, kernel in KERNELS.items() if kernel.module in (*ENGINE, *native.MODULES)]
    assert not {KERNELS[symbol].module for symbol in keys(others)} & set(HARD)
    hard = [symbol for symbol, kernel in KERNELS.items() if kernel.module in HARD]
    assert hard and {KERNELS[symbol].module for symbol in keys(hard)} <= {*ENGINE, *HARD}


def test_both_groups_make_all_callable():
    physics.ensure_engine()
    physics.ensure_compiler()
    made = [kernel for kernel in KERNELS.values() if kernel.module in (*ENGINE, *native.MODULES)]
    assert made and all(kernel.addr for kernel in made)
    assert physics.compile_kernels()["load_s"] == 0.0   # nothing was left to do
