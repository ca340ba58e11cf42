"""Modules of the official package are found by import and by attribute, and `--names` knows them."""
import importlib

from app.mujoco_shim import mujoco


def test_modules_are_loaded_when_they_are_asked_for():
    for name, member in (("rollout", "Rollout"), ("batch", "Batch"), ("minimize", "least_squares")):
        assert mujoco.is_here(f"{name}.{member}") and not mujoco.is_here(f"{name}.nothing")
        assert getattr(mujoco, name) is importlib.import_module(f"{mujoco.__name__}.{name}") and name in dir(mujoco)


def test_a_thread_pool_that_was_asked_for_is_told():
    m = mujoco.MjModel.from_xml_string("<mujoco/>")
    d = mujoco.MjData(m)
    assert d.threadpool == 0
    mujoco.mju_threadpool(d, 3)
    assert d.threadpool == 3
    mujoco.mju_threadpool(d, 0)
    assert d.threadpool == 0
