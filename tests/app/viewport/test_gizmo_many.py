"""Many elements dragged at once: no motion reads anew what it has written of them, the handles go along all the same, and one entry of the history takes it back."""
import numpy as np
import pytest
from PyQt6.QtCore import QPointF

from app.viewport.tools import running_drag
from editor.tools.element_trees import ElementTrees
from editor.tools.gizmo import MOVE, WORLD, Gizmo
from editor.tools.subject import subject_after
from physics.model.elements import element
from tests.app.viewport.test_gizmo_tool import begin, entries, let_go, press, tool_of

COUNT = running_drag.MOST_READ + 5
ROWS = "\n".join(f'    <geom name="g{k}" size=".03" pos="{0.1 * (k % 9) - 0.4:.1f} {0.1 * (k // 9) - 0.2:.1f} .5"/>' for k in range(COUNT))
SCENE = f"""<mujoco>
  <statistic center="0 0 .5" extent="1"/>
  <worldbody>
    <light pos="0 0 3"/>
{ROWS}
  </worldbody>
</mujoco>
"""


@pytest.fixture
def bench(workbench, tmp_path):
    path = tmp_path / "many.xml"
    path.write_text(SCENE)
    made = workbench(path, size=(1000, 700))
    made.pictures(2)
    made.wait(lambda: not made.session._compiler.busy)
    return made


def heights(bench) -> np.ndarray:
    return bench.context.model.geom_pos[:, 2].copy()


def test_many_are_dragged_together(bench, monkeypatch):
    read = []
    monkeypatch.setattr(running_drag, "subject_after", lambda one, trees, quick: read.append(one) or subject_after(one, trees, quick))
    bench.context.select_elements([element(bench.context.model, "geom", k) for k in range(COUNT)])
    begin(bench)
    before, text, tool = heights(bench), bench.session.document.main.text, tool_of(bench)
    place = press(bench, ("move", (2,)))
    for k in range(1, 4):
        bench.move(place + QPointF(0, -15 * k))
        bench.pictures(1)
        bench.wait(lambda: tool.running.motion is not None and not tool._later.isActive())
    running = tool.running
    now = [subject_after(one, ElementTrees(bench.session.document), quick=True) for one in running.subjects]
    painted = Gizmo(MOVE, running.shown, WORLD, moved=running.carried).frame(running.moment)
    assert not read and painted[2, 3] > 0.52 and painted == pytest.approx(Gizmo(MOVE, now, WORLD).frame(running.moment), abs=2e-3)
    let_go(bench, place + QPointF(0, -45))
    bench.wait(lambda: (heights(bench) > before + 0.02).all())
    assert np.ptp(heights(bench)) == 0 and entries(bench) == [f"Move {COUNT} elements"]
    bench.session.undo()
    bench.wait(lambda: (heights(bench) == before).all())
    assert bench.session.document.main.text == text
