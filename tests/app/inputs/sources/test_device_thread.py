import threading

import pytest

from app.inputs.source import Source, SourceMissing
from app.inputs.sources.device_thread import MOST_WAITING, DeviceThread, Gone, needed
from app.inputs.table import SOURCES
from app.inputs.table import make as make_source
from tests.app.inputs.sources.collected import running, wait_until


class Plug(DeviceThread):
    """A device that is there while `plugged` is set. broken: what its driver raises."""

    def __init__(self):
        super().__init__("plug")
        self.plugged, self.left, self.broken = threading.Event(), [], None

    def _search(self):
        if not self.plugged.is_set():
            self.state = "nothing plugged in"
            return None
        self.state = "ready: plug"
        return "plug"

    def _read(self, device):
        while not self.stopping:
            self.answer_asked()
            if self.broken is not None:
                error, self.broken = self.broken, None
                raise error
            if not self.plugged.is_set():
                raise Gone("plug was pulled")
            self.tell_reading({"x": 1.0}, frozenset())
            self._stop.wait(0.001)

    def _leave(self, device):
        self.left.append(device)


def test_a_device_comes_and_goes_and_is_found_again():
    plug = Plug()
    assert isinstance(plug, Source)
    with running(plug) as got:
        wait_until(lambda: plug.state == "nothing plugged in")
        assert not got.samples and not plug.found
        plug.plugged.set()
        got.until(lambda s: s.axes == {"x": 1.0})
        plug.plugged.clear()
        lost = got.until(lambda s: not s.tracked)
        assert not lost.axes and plug.left == ["plug"]
        wait_until(lambda: plug.state == "nothing plugged in")
        plug.plugged.set()
        got.until(lambda s: s.tracked and s.seq > lost.seq)


@pytest.mark.parametrize("error", [OSError("read error"), ValueError("driver is confused")])
def test_a_driver_that_fails_is_not_the_end(error):
    plug = Plug()
    plug.plugged.set()
    with running(plug) as got:
        got.until(lambda s: s.axes)
        plug.broken = error
        lost = got.until(lambda s: not s.tracked)
        got.until(lambda s: s.tracked and s.seq > lost.seq)


def test_what_is_asked_happens_in_the_devices_thread():
    plug, where = Plug(), []
    plug.plugged.set()
    with running(plug) as got:
        got.until(lambda s: s.axes)
        plug.ask(lambda: where.append(threading.current_thread().name))
        wait_until(lambda: where)
        assert where == ["input plug"]
    for _ in range(MOST_WAITING + 5):    # nobody reads any more: nothing piles up, nothing waits
        plug.ask(lambda: None)


def test_twice_is_once():
    plug = Plug()
    plug.stop()
    with running(plug) as got:
        with pytest.raises(RuntimeError, match="plug has been started"):
            plug.start(got.put)
        plug.stop()
        plug.stop()
    with running(plug) as again:    # and begins anew
        plug.plugged.set()
        again.until(lambda s: s.axes)


def test_a_package_that_is_not_here_is_named_with_the_extra():
    with pytest.raises(SourceMissing, match=r"a lamp needs no_such_package.*pip install \"linkwork\[teleop\]\""):
        needed("no_such_package", "a lamp")


@pytest.mark.parametrize("name", ["keyboard", "pad:1", "spacemouse", "midi:nano", "udp:0", "zmq:tcp://127.0.0.1:5557", "script:true"])
def test_the_table_makes_each(name):
    source = make_source(name)
    assert source.name == name and source.state == "off" and isinstance(source, Source)
    assert name.partition(":")[0] in SOURCES
    source.stop()
