"""The log with its filter and file, and the table of warnings."""
from datetime import datetime

import pytest
from PyQt6.QtTest import QTest

from physics.enums import WarningType
from app.panels.log import MAX_LINES, RENEWED
from physics.runtime import commands
from tests.app.heap import in_use, is_told

DIVERGES = """<mujoco>
  <worldbody><body name="arm"><joint name="elbow" axis="0 1 0"/><geom size=".1" pos="0 0 -.3"/></body></worldbody>
  <actuator><motor name="turn" joint="elbow"/></actuator>
</mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(DIVERGES)
    return workbench(tmp_path / "m.xml", size=(1000, 700))


def lines(panel) -> list[str]:
    """Texts of the log without their times."""
    return [line[10:] for line in panel.toPlainText().splitlines()]


def test_the_log_is_filtered_by_level_and_text(bench):
    panel = bench.panel("log")
    panel.clear()
    for level, text in (("info", "a film was written"), ("warning", "contacts ran out"), ("error", "the film failed"), ("error", "the film failed")):
        bench.context.log(level, text)
    assert lines(panel) == ["a film was written", "contacts ran out", "the film failed  (x2)"]
    panel.level.setCurrentText("Errors")
    panel.level.activated.emit(panel.level.currentIndex())
    assert lines(panel) == ["the film failed  (x2)"]
    bench.context.log("error", "the film failed")
    bench.context.log("info", "not shown")
    assert lines(panel) == ["the film failed  (x3)"]
    panel.level.setCurrentIndex(0)
    panel.level.activated.emit(0)
    QTest.keyClicks(panel.filter, "FILM")
    assert lines(panel) == ["a film was written", "the film failed  (x3)"]
    panel.filter.clear()
    assert len(lines(panel)) == 4


def test_a_long_log_is_laid_out_once_and_followed_at_its_end(bench):
    panel = bench.panel("log")
    panel.clear()
    for k in range(300):
        bench.context.log("warning" if k % 2 else "info", f"message {k}")
    bar, changes = panel.text.verticalScrollBar(), []
    assert bar.value() == bar.maximum() > 200
    panel.text.document().contentsChange.connect(lambda *_: changes.append(None))
    panel.level.setCurrentText("Warnings and errors")
    panel.level.activated.emit(panel.level.currentIndex())
    assert lines(panel) == [f"message {k}" for k in range(1, 300, 2)]
    assert len(changes) < 5 and bar.value() == bar.maximum()     # the old lines go, the new ones come
    bar.setValue(3)
    bench.context.log("warning", "another")
    assert bar.value() == 3 and lines(panel)[-1] == "another"


@pytest.mark.skipif(not is_told(), reason="the C library does not tell what is in use")
def test_a_log_that_grew_line_by_line_takes_little_memory(bench):
    panel = bench.panel("log")
    panel.clear()
    before = in_use()
    for k in range(MAX_LINES):
        panel.add("info", f"message {k} " + 100 * "-")
    assert len(lines(panel)) == MAX_LINES and in_use() - before < 5e6        # 14 MB with each line laid out alone


def test_who_reads_older_messages_goes_on_doing_so(bench):
    panel = bench.panel("log")
    panel.clear()
    for k in range(2 * RENEWED - 1):
        panel.add("info", f"message {k}")
    bar = panel.text.verticalScrollBar()
    bar.setValue(RENEWED)
    read = panel.text.firstVisibleBlock().text()
    panel.add("info", "one more")
    assert panel._appended == 0 and panel.text.firstVisibleBlock().text() == read
    cursor = panel.text.textCursor()
    cursor.select(cursor.SelectionType.BlockUnderCursor)
    panel.text.setTextCursor(cursor)
    for k in range(RENEWED + 1):
        panel.add("info", f"later {k}")
    assert panel.text.textCursor().hasSelection()


def test_a_message_of_two_lines_is_one_message(bench):
    panel = bench.panel("log")
    panel.clear()
    for _ in range(3):
        bench.context.log("error", "it failed\n  because <b>")
    assert panel.toPlainText().splitlines()[1:] == ["  because <b>  (x3)"] and panel.text.document().blockCount() == 1


def test_the_log_is_written_to_a_file_where_the_setting_says_so(bench, tmp_path):
    path = tmp_path / "all.log"
    bench.context.log("info", "before")
    bench.context.settings.set("log/file", str(path))
    assert bench.panel("log").to_file.isChecked()
    bench.context.log("warning", "a warning")
    bench.context.log("info", "a line")
    written = path.read_text().splitlines()
    assert [line.split(" ", 1)[1].split() for line in written] == [["warning", "a", "warning"], ["info", "a", "line"]]
    bench.panel("log").to_file.click()
    assert bench.context.settings.get("log/file") == ""
    bench.context.log("info", "after")
    assert len(path.read_text().splitlines()) == 2


def test_a_file_that_cannot_be_written_is_told_once(bench, tmp_path):
    bench.context.settings.set("log/file", str(tmp_path / "no" / "folder" / "x.log"))
    bench.context.log("info", "one")
    bench.context.log("info", "two")
    assert sum("cannot be written" in text for _level, text in bench.context.log_lines) == 1


def test_warnings_are_counted_with_their_last_place_and_reset(bench):
    panel = bench.panel("warnings")
    assert panel.text(WarningType.BADCTRL, "Count") == "" and panel.table.rowCount() == len(WarningType)
    bench.runner.send(commands.Visit(lambda m, d: d.ctrl.__setitem__(0, float("nan"))))
    bench.actions["step_ten"].trigger()
    bench.wait(lambda: panel.text(WarningType.BADCTRL, "Count") == str(bench.snapshot.warning_number[WarningType.BADCTRL]) != "0")
    assert "turn" in panel.text(WarningType.BADCTRL, "Of") and panel.text(WarningType.BADCTRL, "Last at").endswith(" s")
    assert "since" in panel.summary.text()
    bench.runner.send(commands.ClearCtrl())
    bench.runner.send(commands.ClearWarnings())
    bench.wait(lambda: panel.text(WarningType.BADCTRL, "Count") == "" and not bench.snapshot.warning_number.any())


def test_lines_from_before_the_panel_keep_their_times(bench):
    bench.context.log("info", "said early")
    place = [text for _level, text in bench.context.log_lines].index("said early")
    bench.context.log_times[place] = datetime(2024, 5, 6, 7, 8, 9)
    assert "07:08:09  said early" in bench.panel("log").toPlainText()


def test_rows_of_the_warnings_table_grow_with_texts_enlarged_while_it_is_open(bench, enlarge):
    enlarge(bench, bench.panel("warnings").table)
