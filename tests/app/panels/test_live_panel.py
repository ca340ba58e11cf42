"""Panels are filled for a model when they are seen, each in a turn of its own."""
from PyQt6 import sip
from PyQt6.QtCore import QObject, Qt
from PyQt6.QtWidgets import QVBoxLayout, QWidget

from app.panels.in_turn import InTurn
from app.panels.live_panel import LivePanel

OTHER = """<mujoco><worldbody><body><joint name="first" type="slide"/><joint name="second"/><geom size=".1"/></body></worldbody></mujoco>"""


class Panel(LivePanel):
    def __init__(self, context, done):
        super().__init__(context)
        self.done = done
        self.fill_with_models(lambda model: done.append(("fill", self, model)))

    def show_snapshot(self, snapshot):
        assert self.done[-1][1] is not self or self.done[-1][2] is snapshot.model
        self.done.append(("show", self, snapshot.model))


def test_pieces_are_done_one_in_a_turn_in_their_order(qtbot):
    turns, done, seen, gone = InTurn(), [], [], QObject()
    pieces = [lambda k=k: done.append(k) for k in range(3)]
    for piece in (*pieces, pieces[0]):
        turns.post(turns, piece)
    turns.post(gone, lambda: done.append("gone"))
    sip.delete(gone)
    assert done == []
    turns._timer.timeout.connect(lambda: seen.append(len(done)))
    qtbot.waitUntil(lambda: len(seen) == 4)
    assert done == [0, 1, 2] and seen[:3] == [1, 2, 3]


def test_a_panel_is_filled_when_it_is_seen_and_shows_no_state_before(workbench, tmp_path, qtbot):
    bench = workbench(size=(900, 600))
    done = []
    frame = QWidget()
    qtbot.addWidget(frame)
    column, (seen, hidden) = QVBoxLayout(frame), (Panel(bench.context, done), Panel(bench.context, done))
    for panel in (seen, hidden):
        panel.setMinimumSize(50, 50)        # what has no size cannot be seen
    column.addWidget(seen)
    column.addWidget(hidden)
    hidden.hide()
    frame.show()
    bench.wait(lambda: len(done) >= 2)
    first = bench.context.model
    assert done[:2] == [("fill", seen, first), ("show", seen, first)] and set(done[2:]) <= {("show", seen, first)}
    del done[2:]        # snapshots that came late
    (tmp_path / "other.xml").write_text(OTHER)
    waits = []
    bench.context.model_changed.connect(lambda _model: waits.append((len(done), seen.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents))))
    bench.session.open(tmp_path / "other.xml", run=False)
    bench.wait(lambda: done[-1][:2] == ("show", seen) and done[-1][2] is not first)
    second = bench.context.model
    assert waits == [(2, True)] or waits[0][1]      # filled in a later turn, until then the mouse has nothing to hit
    assert not seen.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    assert [what for what in done if what[1] is hidden] == [] and done.count(("fill", seen, second)) == 1
    before = list(done)
    hidden.show()
    assert done == before       # a workspace shows many at once: each is filled in a later turn
    mine = lambda: [what for what in done if what[1] is hidden]  # noqa: E731     the other one may be told of a snapshot meanwhile
    bench.wait(mine)
    assert mine()[:2] == [("fill", hidden, second), ("show", hidden, second)]


def test_a_panel_that_comes_and_goes_within_a_turn_is_not_filled(workbench, qtbot):
    bench = workbench(size=(900, 600))
    done = []
    panel = Panel(bench.context, done)
    qtbot.addWidget(panel)
    panel.show()
    panel.hide()
    qtbot.wait(50)
    assert done == []
    panel.show()
    bench.wait(lambda: done)


def test_a_panel_behind_another_tab_takes_nothing_until_it_is_in_front(workbench, tmp_path):
    bench = workbench(size=(900, 600))
    joints = bench.docks.show("joints")
    bench.wait(lambda: joints is not None and joints.seen)
    bench.docks.show("physics")
    bench.wait(lambda: not joints.seen)
    bench.settled()
    bench.steady(lambda: (joints.seen, bench.snapshot.number), 0.5)     # what was posted while it was seen is done
    assert joints.isVisible() and not joints.seen       # the first is for Qt
    shown, show = [], joints.show_snapshot
    joints.show_snapshot = lambda snapshot: (shown.append(snapshot.time), show(snapshot))
    bench.actions["run"].trigger()
    bench.pass_time(0.3)
    assert shown == []
    (tmp_path / "other.xml").write_text(OTHER)
    bench.session.open(tmp_path / "other.xml", run=False)
    bench.wait(lambda: "first" in bench.context.model.names["joint"] and not bench.snapshot.running)
    bench.qtbot.wait(100)
    assert shown == [] and joints._filled_with is not bench.context.model
    bench.docks.show("joints")
    bench.wait(lambda: shown)
    assert joints._filled_with is bench.context.model
