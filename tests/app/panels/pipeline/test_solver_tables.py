"""The solver's tables are as wide as what is in sight of them."""
from app.panels.pipeline.solver_tables import LOOKED_AT, Column, ColumnsTable


def test_widths_follow_from_the_rows_in_sight_alone(qtbot):
    asked, table = set(), ColumnsTable()
    qtbot.addWidget(table)
    table.resize(300, 200)
    table.show()

    def text(row: int) -> str:
        asked.add(row)
        return "a long text in the first rows" if row < 3 else str(row)

    table.show_columns([Column("Row", "", text)], 5000)
    assert 3 < len(asked) <= LOOKED_AT + 5
    assert table.columnWidth(0) >= table.fontMetrics().horizontalAdvance(text(0))
