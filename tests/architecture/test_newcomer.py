"""What ARCHITECTURE.md tells a newcomer is there: the files of every task, and every folder of the table."""
import re

import pytest

from tests.architecture.sources import ROOT, refuse

TEXT = (ROOT / "ARCHITECTURE.md").read_text()
NAME = re.compile(r"`([\w/.]+)`")


def section(title: str) -> str:
    """The text under a heading."""
    return TEXT.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def rows(title: str) -> dict[str, str]:
    """{first column: second column} of the table under a heading."""
    lines = [line.strip("|").split("|") for line in section(title).splitlines() if line.startswith("|")]
    return {cells[0].strip(): cells[1].strip() for cells in lines[2:]}


TASKS = rows("To change something")


def places(text: str) -> list[str]:
    """The files that a cell names; one without a folder stands beside the one before it."""
    out = []
    for name in NAME.findall(text):
        out.append(name if "/" in name or not out else f"{out[-1].rpartition('/')[0]}/{name}")
    return out


def test_at_least_ten_tasks_are_listed():
    assert len(TASKS) >= 10


@pytest.mark.parametrize("task", TASKS)
def test_the_files_of_a_task_exist(task):
    files = places(TASKS[task])
    assert files
    refuse([name for name in files if not (ROOT / name).is_file()])


def test_every_folder_of_the_table_exists_and_every_package_of_ours_is_in_it():
    table = section("Folders")
    named = {name for cell in rows("Folders") for name in NAME.findall(cell)}
    refuse([name for name in named if not (ROOT / name).exists()])
    packages = {f"physics/{path.name}" for path in (ROOT / "physics").iterdir() if (path / "__init__.py").exists()} | {"render", "editor", "app", "linkwork", "assets"}
    refuse(packages - named)
    inner = {f"{parent}/{path.name}" for parent in ("physics/engine", "physics/compiler", "app", "render") for path in (ROOT / parent).iterdir()
             if (path / "__init__.py").exists()}
    refuse([folder for folder in inner if f"{folder.rpartition('/')[2]}/`" not in table])


def test_every_file_the_text_names_exists():
    beside = re.findall(r"\]\((docs/[\w.]+)\)", TEXT) + [name for name in NAME.findall(TEXT) if "/" in name and name.endswith(".py")]
    refuse(sorted({name for name in beside if not (ROOT / name).exists()}))
