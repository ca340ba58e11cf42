"""Windows of these tests are processes of their own, with settings and folders of the test's."""
import os

import pytest

import physics


@pytest.fixture(scope="session", autouse=True)
def kernels():
    """Compiled, so that no window is waited for longer than it takes to open."""
    physics.compile_kernels()


@pytest.fixture(autouse=True)
def own_settings(tmp_path, monkeypatch):
    """What windows remember goes into the test's folder."""
    monkeypatch.setenv("LINKWORK_SETTINGS", str(tmp_path / "settings.ini"))
    monkeypatch.setenv("LINKWORK_STATE", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    root = os.path.dirname(os.path.dirname(os.path.abspath(physics.__file__)))
    monkeypatch.syspath_prepend(root)
