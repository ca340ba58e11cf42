"""Real processes drive a run: by what they see, taken over from, crashing, hanging, writing junk; what is recorded does again to the bit."""
import json
import shlex
import subprocess
import threading
from pathlib import Path

import pytest

from app.demonstrations.keeper import Keeper
from app.demonstrations.policy import link, policy as module
from app.demonstrations.policy.policy import Phase, Policy, told
from app.demonstrations.replay import replay
from app.demonstrations.session import Session
from app.demonstrations.sources import opened
from app.demonstrations.steering import Steering
from physics.runtime import commands as c
from tests.app.demonstrations.live import Live
from tests.app.demonstrations.made import PATH
from tests.app.demonstrations.policy.programs import BEND, CHATTY, CRASHING, DEAF, HANGING, HEAD, JUNK, importable, written


class Driven:
    """A run, a person's and a policy's place at the wheel, and the policies started in it."""

    def __init__(self, folder):
        self.folder, self.live, self.policies = folder, Live(), []
        self.runner = self.live.runner
        self.session, self.steering = None, None

    def open(self) -> None:
        self.live.open()
        self.live.settle()
        self.runner.send(c.SetSpeed(1.0))
        self.runner.send(c.Run())

    def start(self, text: str, **more) -> Policy:
        """Have a program drive."""
        return self.start_command(written(self.folder, text), **more)

    def start_command(self, command: str, **more) -> Policy:
        """The same by a command line."""
        if self.session is None:
            self.session = Session(self.runner)
        if self.steering is None:
            self.steering = Steering(self.runner, self.session)
        self.policies.append(Policy(self.runner, self.steering, command, **more))
        self.policies[-1].start()
        return self.policies[-1]

    def data(self, name):
        return self.live.visit(lambda sim: getattr(sim.data, name).copy())

    def wait(self, condition):
        return self.live.wait(condition)

    def close(self) -> None:
        for one in self.policies:
            one.close()
        self.live.close()


@pytest.fixture
def driven(tmp_path, monkeypatch):
    importable(monkeypatch)
    monkeypatch.setattr(link, "GRACE", 0.3)
    made = Driven(tmp_path)
    yield made
    made.close()
    assert not [thread.name for thread in threading.enumerate() if thread.name.startswith("policy")]
    assert all(one._link is None or getattr(one._link, "_process", None) is None or one._link._process.poll() is not None for one in made.policies)


def test_a_process_drives_by_what_it_sees_and_is_ended(driven):
    driven.open()
    policy = driven.start(BEND, rate=50.0)
    driven.wait(lambda: driven.data("ctrl")[0] == 0.3 and driven.data("ctrl")[1] > 0.01)
    driven.wait(lambda: driven.data("mocap_pos")[0][2] > 0.29)      # over the first half second it goes there smoothly
    assert driven.data("mocap_quat")[0].tolist() == [1.0, 0.0, 0.0, 0.0] and driven.steering.driver == "policy"
    driven.wait(lambda: policy.measured > 0)
    assert policy.phase is Phase.RUNNING and policy.wrong == 0 and policy.measured < 52 and "of 50 states/s" in told(policy, driven.steering) and "policy drives" in told(policy, driven.steering)
    driven.session.update()
    assert driven.session.driver == "policy"
    policy.close()
    driven.steering.take_over()
    assert policy.phase is Phase.OFF and not driven.steering.waiting and driven.data("ctrl")[0] == 0.3


def test_a_person_takes_over_within_a_step_and_hands_back_without_a_jump(driven):
    driven.open()
    driven.start(HEAD + "run(lambda state: {'shoulder': 1.0, 'elbow': 0.2})")
    driven.wait(lambda: driven.data("ctrl").tolist() == [1.0, 0.2])
    driven.steering.take_over(holding=True)
    assert driven.steering.send("person", ("teleop", "arm", ""), c.SetCtrl(0, -1.0)) and driven.data("ctrl")[0] == -1.0
    driven.wait(lambda: driven.steering.refused > 2)
    assert driven.data("ctrl").tolist() == [-1.0, 0.2]
    first = driven.live.visit(lambda sim: sim.history.number)
    driven.runner.send(c.SetSpeed(0.25))    # so that a machine that stands still for a moment makes no large steps
    driven.steering.let_go()
    driven.wait(lambda: driven.data("ctrl").tolist() == [1.0, 0.2])
    ctrl = driven.live.visit(lambda sim: [float(row[0]) for piece in sim.history.line().pieces for number, row in enumerate(piece.columns("ctrl"), piece.number) if number > first])
    assert ctrl[0] == -1.0 and ctrl[-1] == 1.0 and all(b >= a for a, b in zip(ctrl, ctrl[1:])) and max(b - a for a, b in zip(ctrl, ctrl[1:])) < 1.0
    assert len(set(ctrl)) > 3


def test_an_episode_that_both_drove_does_again_to_the_bit(driven, tmp_path):
    keeper = Keeper(driven.runner, tmp_path / "kept", "pusher.xml")
    keeper.keep_model(driven.live.model, {PATH: driven.live.text})
    keeper.begin()
    driven.open()
    session = driven.session = Session(driven.runner, keeper)
    driven.start(BEND)
    driven.wait(lambda: driven.steering.driver == "policy")
    session.start("push")
    begun = driven.live.visit(lambda sim: sim.data.time)
    driven.wait(lambda: driven.live.visit(lambda sim: sim.data.time) > begun + 0.6)
    session.update()
    driven.steering.rewind(0.3)
    driven.wait(lambda: (session.update(), session.driver == "person")[1])
    driven.steering.send("person", "arm", c.SetCtrls((0, 1), (-0.4, 0.1)))
    driven.steering.take_over(holding=True)
    driven.wait(lambda: driven.live.visit(lambda sim: sim.data.time) > begun + 0.6)
    driven.steering.let_go()
    driven.wait(lambda: driven.live.visit(lambda sim: sim.data.time) > begun + 0.9)
    session.succeed()
    driven.runner.send(c.Pause())
    driven.live.settle()
    driven.policies[0].close()
    (path,) = keeper.close()
    with opened(path) as of:
        (found,) = replay(of)
        assert found.same and found.difference is None
        episode = of.episodes[0]
        assert [who for _entry, who in episode.drivers] == ["policy", "person", "policy"] and episode.steps > 100 and episode.outcome == "success"
        assert {episode.driver(entry) for entry in range(episode.first, episode.last)} == {"policy", "person"}


def test_one_that_crashes_is_told_with_what_it_said_and_what_it_drove_holds(driven):
    driven.open()
    policy = driven.start(CRASHING)
    driven.wait(lambda: policy.phase is Phase.ENDED)
    assert policy.problem.startswith("policy.py has ended with code 1\n") and policy.problem.endswith("ValueError: no weights here")
    held = driven.data("ctrl")[0]
    assert 0 < held <= 0.3
    driven.steering.take_over(holding=True)
    driven.steering.let_go()        # to nobody
    assert driven.steering.driver == "person" and driven.data("ctrl")[0] == held
    again = driven.start(BEND)      # another one may drive
    driven.wait(lambda: again.phase is Phase.RUNNING and driven.steering.driver == "policy")


def test_one_that_hangs_is_told_and_ended_by_force(driven, monkeypatch):
    monkeypatch.setattr(module, "SILENCE", 0.3)
    driven.open()
    policy = driven.start(HANGING)
    driven.wait(lambda: policy.phase is Phase.SILENT)
    driven.wait(lambda: "thinking about it" in policy.problem)
    assert policy.problem.startswith("policy.py has not answered") and "silent for" in told(policy, driven.steering)
    driven.steering.take_over()
    assert driven.steering.send("person", "arm", c.SetCtrl(0, -0.5)) and driven.data("ctrl")[0] == -0.5
    policy.close()
    assert policy._link._process.poll() is not None


def test_what_it_has_started_itself_ends_with_it(driven):
    pids = driven.folder / "pids"
    command = written(driven.folder, BEND.replace("def act", f"open({str(pids)!r}, 'w').write(str(os.getpid()))\n\ndef act"))
    policy = driven.start_command(f"sh -c {shlex.quote(f'{command}; true')}")
    driven.open()
    driven.wait(lambda: policy.phase is Phase.RUNNING)
    pid = int(pids.read_text())
    assert pid != policy._link._process.pid
    policy.close()
    stat = Path(f"/proc/{pid}/stat")
    driven.wait(lambda: not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z")


@pytest.mark.parametrize("text", [DEAF, JUNK], ids=["deaf", "junk"])
def test_one_that_never_stops_writing_holds_nothing_up(driven, text):
    driven.open()
    policy = driven.start(text)
    driven.wait(lambda: policy.phase is Phase.ENDED if text is JUNK else policy.answers > 300)
    if text is JUNK:
        assert "no messages" in policy.problem and "lorem ipsum" in policy.problem and policy.wrong == module.JUNK
    before = driven.live.visit(lambda sim: sim.data.time)
    driven.wait(lambda: driven.live.visit(lambda sim: sim.data.time) > before + 0.05)
    policy.close()
    assert policy._link._process.poll() is not None


def test_messages_that_make_no_sense_are_refused_and_the_rest_counts(driven):
    driven.open()
    policy = driven.start(CHATTY)
    driven.wait(lambda: driven.data("ctrl")[0] == 0.3)
    assert policy.wrong == 3 and policy.phase is Phase.RUNNING and "3 messages refused (last: " in told(policy, driven.steering)


def test_what_a_policy_says_of_the_episode_is_handed_on(driven):
    said = []
    driven.open()
    driven.start(HEAD + "run(lambda state: Action(event='success' if state.time > 0.05 else ''))", on_event=said.append)
    driven.wait(lambda: "success" in said)


def test_it_is_told_where_a_state_does_not_go_on_from_the_one_before(driven):
    driven.open()
    driven.start(HEAD + "jumps = []\ndef act(state):\n    jumps.extend([state.driver] * state.fresh)\n    return {'shoulder': 0.1 * len(jumps), 'elbow': float(state.driver == 'person')}\nrun(act)")
    driven.wait(lambda: driven.data("ctrl")[0] == 0.1)
    driven.session.reset()
    driven.runner.send(c.Run())
    driven.wait(lambda: driven.data("ctrl")[0] == 0.2)
    driven.steering.rewind(0.05)
    driven.wait(lambda: driven.steering.refused > 1)
    driven.steering.hand_back()
    driven.wait(lambda: abs(driven.data("ctrl")[0] - 0.3) < 1e-12 and driven.data("ctrl")[1] == 0)


def test_a_policy_at_an_address_drives(driven):
    text = HEAD + "serve(lambda state: {'shoulder': 0.25}, 0, ready=lambda port: print(port, flush=True))"
    with subprocess.Popen(shlex.split(written(driven.folder, text)), stdout=subprocess.PIPE, text=True) as process:
        try:
            address = f"127.0.0.1:{int(process.stdout.readline())}"
            driven.open()
            for _ in range(2):      # one after the other
                policy = driven.start_command(address)
                driven.wait(lambda: driven.data("ctrl")[0] == 0.25)
                policy.close()
                driven.steering.take_over()
                driven.steering.send("person", "arm", c.SetCtrl(0, 0.0))
            policy = driven.start_command(address)
            driven.wait(lambda policy=policy: policy.phase is Phase.RUNNING)
        finally:
            process.terminate()
    driven.wait(lambda: policy.problem == f"the policy at {address} has closed the connection")


@pytest.mark.parametrize("command, said", [("no-such-program --fast", "no-such-program cannot be run: No such file"), ("missing.py", "missing.py: there is no such file"), ("'", "cannot be read"),
                                           ("127.0.0.1:1", "nobody answers at 127.0.0.1:1"), (" ", "no command line")])
def test_one_that_is_not_there_is_told(driven, command, said):
    policy = driven.start_command(command)
    driven.wait(lambda: policy.phase is Phase.ENDED)
    assert said in policy.problem and driven.steering.driver == "person"


class Lines:
    """A link that keeps what is written to it."""

    def __init__(self):
        self.states = []

    def write(self, data):
        message = json.loads(data)
        if message["kind"] == "state":
            self.states.append(message["seq"])


@pytest.fixture
def asked(driven):
    """(run, policy, its link), turned by hand: it drives, and state 1 is before it."""
    driven.open()
    driven.steering = Steering(driven.runner, Session(driven.runner), "policy", blend=0.0)
    policy, lines = Policy(driven.runner, driven.steering, "none", rate=1000.0), Lines()
    driven.wait(lambda: (policy._turn(lines), lines.states)[1])
    return driven, policy, lines


def said(policy, seq, shoulder, **more):
    assert policy._take(json.dumps({"v": 1, "seq": seq, "t": 0, "kind": "controls", "controls": {"shoulder": shoulder}, **more}).encode())


def turned(driven, policy, lines):
    """After time for as many states as would go out."""
    before = driven.runner.published.entry
    driven.wait(lambda: (policy._turn(lines), driven.runner.published.entry > before + 100)[1])
    return lines.states[-1]


def test_several_messages_for_one_state_bring_one_more_and_make_no_queue(asked):
    driven, policy, lines = asked
    for value in (0.1, 0.2, 0.3):
        said(policy, 1, value)
        assert turned(driven, policy, lines) == 2
    assert driven.data("ctrl")[0] == 0.3 and policy.late == 0      # parts of one answer
    said(policy, 2, 0.4)
    assert turned(driven, policy, lines) == 3
    said(policy, 1, 0.9)
    assert driven.data("ctrl")[0] == 0.4 and policy.late == 1 and "1 late answers left out" in told(policy, driven.steering)
    assert turned(driven, policy, lines) == 3


def test_lines_that_are_refused_make_no_queue_either(asked):
    driven, policy, lines = asked
    for _ in range(4):
        assert policy._take(b"loading\n")
        assert turned(driven, policy, lines) <= 2
    said(policy, 2, 0.5, controls={"sholder": 1.0})     # it says something, and waits for the next
    assert turned(driven, policy, lines) == 3
    said(policy, 8, 0.6)
    assert policy.reason == "there is no state 8" and policy.wrong == 6 and driven.data("ctrl")[0] == 0.0
    said(policy, lines.states[-1], 0.7)
    assert driven.data("ctrl")[0] == 0.7


def test_what_is_said_before_there_is_a_state_is_no_answer(driven):
    driven.steering = Steering(driven.runner, Session(driven.runner), "policy")
    policy = Policy(driven.runner, driven.steering, "none")
    for seq in (0, 1):
        said(policy, seq, 0.9)
    assert policy.wrong == 2 and policy.answers == 0 and policy.reason == "there is no state 1"


def test_an_answer_to_a_state_before_a_reset_is_left_out(asked):
    driven, policy, lines = asked
    driven.runner.send(c.Reset())
    driven.live.settle()
    said(policy, 1, 0.9)
    assert driven.data("ctrl")[0] == 0.0 and driven.steering.outdated == 1
    driven.runner.send(c.Run())
    said(policy, turned(driven, policy, lines), 0.3)
    assert driven.data("ctrl")[0] == 0.3
