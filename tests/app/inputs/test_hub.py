"""The hub's thread beside the physics thread: samples in, commands out, times measured; junk and trouble leave it alone."""
import threading
import time

import pytest

import physics
from app.inputs.drives.mocap import MocapDrive
from app.inputs.hub import Hub
from app.inputs.inbox import MOST_SOURCES, Inbox
from app.inputs.latency import PARTS, Latency, Passage
from app.inputs.mapping.drive_mapping import DriveMapping, Haptics, Limits, Mapping
from app.inputs.sample import Sample
from app.inputs.source import SourceMissing
from app.inputs.table import SOURCES, kind_of, make, missing_packages
from physics.runtime.commands import SetCtrls, SwapModel
from physics.runtime.perform import perform
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation
from tests.app.inputs.devices import Desk

MODEL = """<mujoco><option timestep="0.002"/><worldbody><body name="target" mocap="true"><geom size=".1" contype="0" conaffinity="0"/></body>
<geom type="plane" size="5 5 .1"/><body name="block" pos="1 0 .1"><freejoint/><geom name="block" type="box" size=".1 .1 .1" mass="2"/></body></worldbody>
<sensor><accelerometer name="felt" site="s"/></sensor></mujoco>""".replace('<geom name="block"', '<site name="s"/><geom name="block"')
DRIVE = DriveMapping("t", "script:a", "mocap", mocap="target", frame="world", limits=Limits(speed=1.0))
PATIENCE = 20.0


def _until(condition) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.002)


@pytest.fixture(scope="module")
def model():
    return physics.load_string(MODEL)


@pytest.fixture
def running(model):
    """(runner, hub) with their threads, driving the mocap body."""
    runner = Runner(Simulation(ready=True))
    runner.start()
    runner.send(SwapModel(model, run=True))
    hub = Hub(runner, measure=True)
    hub.start()
    hub.configure(Mapping((DRIVE,)))
    hub.arm()
    _until(lambda: hub.states and hub.states[0].lamp == "armed" and runner.published is not None)
    yield runner, hub
    hub.stop()
    runner.stop()
    assert not any(thread.name in ("teleoperation", "physics") for thread in threading.enumerate())


class Pusher:
    """A source that sends one Sample after the other."""

    name, state = "script:a", "here"

    def __init__(self, **more):
        self.more, self.felt = more, []
        self._end = threading.Event()

    def start(self, put):
        self._thread = threading.Thread(target=self._run, args=(put,))
        self._thread.start()

    def _run(self, put):
        seq = 0
        while not self._end.wait(0.004):
            seq += 1
            now = time.perf_counter()
            put(Sample(self.name, seq=seq, t_source=now, t_received=now, **self.more))

    def stop(self):
        self._end.set()
        self._thread.join()

    def feedback(self, strength, milliseconds, name=""):
        self.felt.append((strength, milliseconds, name))


def test_a_source_moves_the_model_and_its_samples_are_timed(running, tmp_path):
    runner, hub = running
    hub.add(Pusher(axes={"z": 1.0}))
    _until(lambda: len(hub.latency.rows) > 20 and runner.acquire().mocap_pos[0][2] > 0.05)
    for passage in tuple(hub.latency.rows):
        assert passage.t_source <= passage.t_received <= passage.t_taken <= passage.t_sent <= passage.t_step <= passage.t_published
    spread = hub.latency.spread()
    assert tuple(spread) == PARTS and spread["total"].p50 <= spread["total"].p95
    rows = hub.latency.write(tmp_path / "out.csv")
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert len(lines) == rows + 1 and lines[0].startswith("drive,source,seq,") and lines[1].startswith("t,script:a,")
    hub.remove("script:a")
    assert hub.sources == {}
    _until(lambda: not hub.states[0].following)
    before = runner.acquire().mocap_pos[0].copy()
    number = runner.acquire().number
    _until(lambda: runner.acquire().number > number + 3)
    assert runner.acquire().mocap_pos[0] == pytest.approx(before)


def test_junk_drives_nothing_and_takes_bounded_room(running):
    runner, hub = running
    for k in range(5000):
        hub.put(Sample(f"junk:{k}", seq=k, t_received=1e9 + k, pos=(float("nan"),) * 3, buttons=frozenset([str(k)])))
        hub.put(Sample("other", "event", k, buttons=frozenset(["start"])))
    assert len(hub.inbox.counts()) <= MOST_SOURCES and hub.inbox.ignored == 5000 - len(hub.inbox.counts())
    assert runner.acquire().mocap_pos[0] == pytest.approx([0, 0, 0])
    assert hub._thread.is_alive()


def test_a_drive_that_fails_is_told_and_the_others_go_on(model, monkeypatch):
    other = DriveMapping("u", "script:b", "mocap", mocap="target", frame="world")
    desk = Desk(model, DRIVE, other)
    act = MocapDrive.act
    monkeypatch.setattr(MocapDrive, "act", lambda self, *a: 1 / 0 if self.mapping.name == "t" else act(self, *a))
    for _ in range(20):
        desk.sample("script:a", axes={"x": 1.0})
        desk.sample("script:b", axes={"z": 1.0})
        desk.turn()
    assert "ZeroDivisionError" in str(desk.state("t").problems[0]) and desk.state("t").lamp == "disarmed"
    assert desk.data.mocap_pos[0][2] > 0.01 and desk.data.mocap_pos[0][0] == 0


def test_another_model_is_bound_anew(model):
    desk = Desk(model, DRIVE)
    perform(desk.runner.sim, SwapModel(physics.load_string("<mujoco><worldbody><body name='b'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"), run=True))
    desk.runner.publish()
    desk.turn()
    assert desk.state("t").problems[0].field == "mocap"
    perform(desk.runner.sim, SwapModel(model, run=True))
    desk.runner.publish()
    desk.turn()
    desk.hub.arm()
    desk.hold("script:a", 0.1, axes={"x": 1.0})
    assert desk.state("t").problems == () and desk.data.mocap_pos[0][0] > 0.05


def test_events_come_from_buttons_and_from_messages(model):
    desk = Desk(model, DRIVE, buttons={"script:a y": "success"})
    heard = []
    desk.hub.on_event.append(lambda source, event: heard.append((source, event)))
    desk.sample("script:a", buttons=frozenset(["y"]))
    desk.sample("script:a", buttons=frozenset())        # pressed and let go between two turns
    desk.turn()
    desk.sample("xr", kind="event", buttons=frozenset(["discard"]))
    desk.turn(3)
    assert heard == [("script:a", "success"), ("xr", "discard")]


def test_a_touch_is_felt(model):
    felt = Pusher()
    desk = Desk(model, DriveMapping("t", "script:a", "mocap", mocap="target", haptics=Haptics("contacts:block", 40.0)))
    desk.hub._sources["script:a"] = felt
    desk.turn(400)
    strength, milliseconds, name = felt.felt[-1]
    assert strength == pytest.approx(2 * 9.81 / 40, rel=0.05) and milliseconds == 20 and name == "script:a"
    for text, wrong in (("contacts:nobody", "no body"), ("sensor:none", "no sensor"), ("qposs", "column")):
        desk.hub._feedback.configure(Mapping((DriveMapping("t", "script:a", "mocap", haptics=Haptics(text)),)))
        desk.hub._feedback.bind(model)
        assert wrong in desk.hub._feedback.problems[0].text


# ---------------------------------------------------------------- the inbox

def test_late_and_repeated_samples_are_dropped_and_counted():
    inbox = Inbox()

    def put(seq, t, age=0.0):
        return inbox.put(Sample("a", seq=seq, t_source=t - age, t_received=t))

    assert put(5, 1.0) and not put(5, 1.1) and not put(4, 1.1) and not put(6, 1.2, 0.3) and put(6, 1.2, 0.2)
    assert put(1, 3.0)      # it was away: numbers begin again
    slot = inbox.counts()["a"]
    assert (slot.taken, slot.late, slot.old_numbers) == (3, 1, 2)


# ---------------------------------------------------------------- commands, readers, sources

def test_several_controls_in_one_command():
    desk = Desk(physics.load_string("""<mujoco><worldbody><body><joint name="a"/><joint name="b" axis="0 1 0"/><geom size=".1"/></body></worldbody>
        <actuator><motor joint="a"/><motor joint="b"/></actuator></mujoco>"""))
    sim = desk.runner.sim
    perform(sim, SetCtrls((1, 0), (0.5, -0.25)))
    assert sim.data.ctrl.tolist() == [-0.25, 0.5]
    for wrong in (SetCtrls((2,), (1.0,)), SetCtrls((0, 1), (1.0,)), SetCtrls((0,), (float("nan"),))):
        perform(sim, wrong)
        assert sim.data.ctrl.tolist() == [-0.25, 0.5] and sim.events[-1].kind == "refused"


def test_a_new_reader_gets_snapshots_and_the_others_keep_theirs(model):
    runner = Runner(Simulation(ready=True))
    runner.start()
    try:
        runner.send(SwapModel(model))
        _until(lambda: runner.acquire() is not None)
        held = runner.acquire()
        reader = runner.add_reader()
        _until(lambda: runner.acquire(reader) is not None)
        assert runner.acquire(reader).model is held.model and reader == 3
    finally:
        runner.stop()


def test_sources_are_found_by_their_prefix_and_say_what_they_need(monkeypatch):
    assert kind_of("pad:0").title == "Gamepad" and kind_of("xr:left") is SOURCES["xr"]
    with pytest.raises(SourceMissing, match="no source 'mouse:1'.*sources are keyboard"):
        kind_of("mouse:1")
    monkeypatch.setattr("app.inputs.table.find_spec", lambda name: None)
    assert missing_packages(SOURCES["pad"]) == ("sdl2",)
    with pytest.raises(SourceMissing, match=r'Gamepad needs sdl2.*pip install "linkwork\[teleop\]"'):
        make("pad:0")


def test_passages_that_were_never_published_are_no_rows():
    latency = Latency()
    latency.published()
    latency.performed(Passage("d", "s", 1, 0.0, 0.0, 0.0, 0.0))
    assert not latency.rows and latency.spread() == {}
    latency.published()
    assert len(latency.rows) == 1
