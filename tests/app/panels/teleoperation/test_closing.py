"""A window that closes waits for none of its jobs with demonstrations, nor for clients of its page; what they have begun is cleared away all the same."""
import threading
from types import SimpleNamespace

from PyQt6.QtCore import QObject

from app.controllers.teleoperation.background_job import BackgroundJob
from app.controllers.teleoperation.page import ServedPage
from app.demonstrations import reaper
from app.headless.demo import job_process
from app.inputs import table
from app.inputs.hub import Hub
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation


def test_a_job_under_way_is_told_to_end_and_not_waited_for(qapp, monkeypatch):
    ends, said = threading.Event(), []

    class Slow:
        """A process that takes its time to end."""

        def run(self, wanted, progress):
            said.append("begun")
            ends.wait()
            raise job_process.JobStopped

        def stop(self):
            said.append("stop")

    monkeypatch.setattr(job_process, "JobProcess", Slow)
    parent = QObject()
    job = BackgroundJob(parent)
    job.ended.connect(lambda *_more: said.append("ended"))
    job.begin(dict, clear=lambda: said.append("cleared"))
    job.close()
    assert job._thread.is_alive() and "cleared" not in said
    ends.set()
    reaper.wait()
    assert not job._thread.is_alive() and said[-1] == "cleared"
    qapp.processEvents()
    assert "ended" not in said


def test_the_page_goes_though_a_client_does_not_take_its_leave(qapp, monkeypatch):
    ends = threading.Event()

    class Page:
        """A source whose clients are slow to leave."""

        feed, name = SimpleNamespace(wanted=frozenset(), on_wanted=None, due=lambda camera: False, publish=lambda *more: None), "xr"
        host, secure, admit, port = "", True, None, 0

        def start(self, put):
            pass

        def stop(self):
            ends.wait()

    monkeypatch.setattr(table, "make", lambda name: Page())
    runner = Runner(Simulation(ready=True))
    hub, page = Hub(runner), ServedPage()
    page.serve(hub, None)
    page.stop(hub, wait=True)
    assert not page.on and "xr" not in hub.sources and page._ending.is_alive()
    ends.set()
    reaper.wait()
    assert not page._ending.is_alive()
