"""Settings that hold for every test: no window on a screen, software OpenGL, and no silent skipping in CI."""
import functools
import gc
import os

import pytest

from tests import long_files, memory, own_display, patience

memory.keep_little()
own_display.begin()
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("MUJOCO_GL", "egl")
os.environ.setdefault("QT_NO_GUI_THREADPOOL", "1")      # as the program does


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """With CI=true a test that skips itself has failed: corpus, display, GL and oracle must be there."""
    outcome = yield
    report = outcome.get_result()
    if report.skipped and os.environ.get("CI") == "true" and not hasattr(report, "wasxfail") and os.environ.get("LINKWORK_NOJIT") != "1":
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped in CI: {report.longrepr[-1]}"


@pytest.hookimpl(hookwrapper=True)
def pytest_collection(session):
    """What the imports of the tests make lives until the end: no collection of garbage looks through it, neither meanwhile, which would be a
    third of their time, nor later."""
    gc.disable()
    yield
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(config, items):
    """Where the order is ours (--no-loadscope-reorder) files that take long come first: else a worker would begin with one when the other has nothing left."""
    if not config.getoption("loadscopereorder", True):
        items[:] = long_files.ordered(items)


@pytest.fixture
def qtbot(qtbot):
    """pytest-qt's, more patient: a machine that does much else may need longer than five seconds for anything."""
    for name in ("waitSignal", "waitSignals", "waitExposed", "waitActive"):
        setattr(qtbot, name, functools.partial(getattr(qtbot, name), timeout=patience.PATIENCE_MS))
    qtbot.waitUntil = functools.partial(patience.wait_until, qtbot)
    return qtbot


@pytest.fixture(scope="module", autouse=True)
def memory_given_back():
    """What the files before have left behind goes back to the system: a worker that runs them all would hold gigabytes. At a file's beginning, as the last test of the one before
    holds its window until then."""
    memory.give_back()


def pytest_terminal_summary(terminalreporter):
    """Where the corpus is absent, one line says how many tests, in how many files, proved nothing for want of it."""
    from tests.oracle.corpus import absent_line, has_corpus

    if not has_corpus():
        skipped = terminalreporter.stats.get("skipped", ())
        terminalreporter.write_line(absent_line([(report.nodeid, str(report.longrepr)) for report in skipped]))
