"""A window that closes waits for none of its jobs with demonstrations; what they have begun is cleared away all the same."""
import threading

from PyQt6.QtCore import QObject

from app.controllers.teleoperation.background_job import BackgroundJob
from app.demonstrations import reaper
from app.headless.demo import job_process


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
