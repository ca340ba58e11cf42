"""Settings that hold for every test: no window on a screen, software OpenGL, and no silent skipping in CI."""
import os

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("MUJOCO_GL", "egl")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """With CI=true a test that skips itself has failed: corpus, display, GL and oracle must be there."""
    outcome = yield
    report = outcome.get_result()
    if report.skipped and os.environ.get("CI") == "true" and not hasattr(report, "wasxfail") and os.environ.get("LINKWORK_NOJIT") != "1":
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped in CI: {report.longrepr[-1]}"
