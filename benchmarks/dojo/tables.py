"""How the commands of this folder print: a title, then what is compared in columns."""
from __future__ import annotations

from collections.abc import Sequence

COLUMNS = ("", "paper", "repository", "ours")


def print_table(title: str, rows: Sequence[Sequence[object]], columns: Sequence[str] = COLUMNS) -> None:
    """A table with columns as wide as their longest entry; a number is written with six digits, None as -."""
    text = [tuple(columns), *(tuple(map(_written, row)) for row in rows)]
    widths = [max(len(row[k]) for row in text) for k in range(len(columns))]
    print(title)
    for row in text:
        print("  " + "  ".join(cell.ljust(width) if k == 0 else cell.rjust(width) for k, (cell, width) in enumerate(zip(row, widths, strict=True))))
    print(flush=True)


def _written(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
