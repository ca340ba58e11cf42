"""The panel Lint: findings of the model that runs, what a click shows, fixes, what is ignored."""
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from physics.lint.finding import Finding

SUNK = """<mujoco>
  <asset>
    <material name="gone"/>
    <material name="away"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="ball" pos="0 0 .05">
      <freejoint/>
      <geom name="ball" size=".1"/>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def bench(workbench, tmp_path):
    path = tmp_path / "m.xml"
    path.write_bytes(SUNK.replace("\n", "\r\n").encode())
    bench = workbench(path, size=(1200, 800))
    bench.panel("lint")
    bench.wait(lambda: told(bench))
    return bench


def panel_of(bench):
    return bench.docks.panels["lint"]


def told(bench) -> list[str]:
    return [f.rule for f in panel_of(bench).listed]


def row_of(bench, rule: str, which: int = 0):
    tree = panel_of(bench).tree
    branch = next(tree.topLevelItem(k) for k in range(tree.topLevelItemCount()) if tree.topLevelItem(k).data(0, Qt.ItemDataRole.UserRole)[0].rule == rule)
    return branch.child(which)


def click(bench, rule: str, which: int = 0) -> Finding:
    tree = panel_of(bench).tree
    bench.wait(lambda: not panel_of(bench).linting._again.isActive() and not panel_of(bench).linting._work.busy and tree.visualItemRect(row_of(bench, rule, which)).height() > 0)
    item = row_of(bench, rule, which)
    tree.scrollToItem(item)
    QApplication.processEvents()
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualItemRect(item).center() - QPoint(tree.visualItemRect(item).width() // 4, 0))
    assert tree.currentItem() is item
    return item.data(0, Qt.ItemDataRole.UserRole)[0]


def press(button):
    assert button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def text_of(bench) -> str:
    return bench.session.document.main.text


def test_findings_are_listed_and_a_click_shows_where_they_are(bench):
    assert told(bench) == ["initial_penetration", "unused", "unused"] and "1 warning, 2 notes" in panel_of(bench).summary.text()
    click(bench, "initial_penetration")
    assert [what.name for what in bench.context.selection.elements] == ["ball"] and "50 mm" in panel_of(bench).details.text()
    assert bench.source._tabs.currentWidget().getCursorPosition()[0] == 9       # from 0: the ball's geom
    click(bench, "unused")
    assert "material" in panel_of(bench).details.text() and bench.source._tabs.currentWidget().getCursorPosition()[0] == 2


def test_a_fix_is_one_step_that_can_be_undone_and_the_finding_goes(bench):
    before = text_of(bench)
    click(bench, "initial_penetration")
    press(panel_of(bench).fix)
    assert text_of(bench) == before.replace('pos="0 0 .05"', 'pos="0 0 0.10001"')
    bench.wait(lambda: told(bench) == ["unused", "unused"])
    assert bench.session.undo() and text_of(bench) == before
    bench.wait(lambda: "initial_penetration" in told(bench))


def test_all_findings_of_a_rule_are_mended_at_once(bench):
    before = text_of(bench)
    click(bench, "unused")
    assert panel_of(bench).fix_all.text() == "Fix all 2 of this rule"
    press(panel_of(bench).fix_all)
    assert "material" not in text_of(bench) and text_of(bench).count("\r\n") == before.count("\r\n") - 2
    bench.wait(lambda: told(bench) == ["initial_penetration"])
    assert bench.session.undo() and text_of(bench) == before


def test_what_is_ignored_stays_away_also_after_the_next_compilation(bench):
    panel = panel_of(bench)
    click(bench, "initial_penetration")
    press(panel.ignore)
    assert told(bench) == ["unused", "unused"] and panel.show_ignored.text() == "Ignored: 1"
    click(bench, "unused")
    press(panel.fix)
    bench.wait(lambda: told(bench) == ["unused"])
    press(panel.show_ignored)
    assert "initial_penetration" in told(bench)
    click(bench, "initial_penetration")
    assert panel.ignore.text() == "Do not ignore"
    press(panel.ignore)
    press(panel.show_ignored)
    assert "initial_penetration" in told(bench) and not panel.linting.ignored


def test_one_rule_can_be_listed_alone(bench):
    panel = panel_of(bench)
    panel.rules.setCurrentIndex(panel.rules.findData("unused"))
    panel.rules.activated.emit(panel.rules.currentIndex())
    assert told(bench) == ["unused", "unused"]
    assert [panel.rules.itemText(k) for k in range(panel.rules.count())] == ["All rules (3)", "Inside each other at the start (1)", "Named by nothing (2)"]


def test_a_broken_text_keeps_the_findings_and_refuses_fixes(bench):
    panel = panel_of(bench)
    click(bench, "unused")
    key = bench.session.document.main_key
    bench.session.set_text(key, text_of(bench).replace("</worldbody>", ""))
    bench.session.apply()
    bench.wait(lambda: bench.session.issues)
    assert len(told(bench)) == 3 and "The text has changed" in panel.summary.text()
    before = text_of(bench)
    press(panel.fix)
    assert text_of(bench) == before and bench.logged("Not mended")


def test_nothing_is_looked_for_while_nobody_looks(workbench, tmp_path):
    path = tmp_path / "m.xml"
    path.write_text(SUNK)
    bench = workbench(path, size=(1200, 800))
    panel = bench.panel("lint")
    bench.wait(lambda: panel.linting.seen)      # told some turns later
    bench.panel("log")
    bench.wait(lambda: not panel.linting.seen)
    begun = []
    panel.linting._work.begin = begun.append
    bench.session.write_text(bench.session.document.main_key, SUNK.replace(".05", ".06"), "change")
    bench.wait(lambda: "0 0 .06" in (bench.session.running_text(bench.session.document.main_key) or ""))
    assert not begun
    bench.panel("lint")
    bench.wait(lambda: begun)


def test_what_a_finding_means_is_never_wider_than_its_room(bench):
    from PyQt6.QtWidgets import QScrollArea

    click(bench, "initial_penetration")
    panel = panel_of(bench)
    area = next(one for one in panel.findChildren(QScrollArea) if one.isAncestorOf(panel.details))
    panel.parts.setSizes([10_000, 1])       # as narrow as it can be made
    bench.wait(lambda: panel.copy.isVisible() and area.widget().width() <= area.viewport().width())
    right = panel.copy.mapTo(area.viewport(), QPoint(panel.copy.width(), 0)).x()
    assert right <= area.viewport().width() and area.viewport().width() >= area.widget().minimumSizeHint().width()
