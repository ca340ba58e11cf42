"""Asking for a file: the desktop's own dialog where there is one, else Qt's, with the folders used lately at its side."""
from collections.abc import Callable, Iterable
from pathlib import Path

from PyQt6.QtCore import QStandardPaths, QUrl
from PyQt6.QtWidgets import QFileDialog, QMessageBox, QWidget

MOST_FOLDERS = 8


def ask_for_file(parent: QWidget | None, title: str, folder: Path, filters: str, recent: Iterable[Path] = ()) -> Path | None:
    """The existing file that the user chooses, None when the user gives up. recent: folders to offer. filters: as 'Models (*.xml);;All files (*)'."""
    dialog = QFileDialog(parent, title, str(folder))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setNameFilters(filters.split(";;"))
    dialog.setViewMode(QFileDialog.ViewMode.Detail)
    dialog.setSidebarUrls([QUrl.fromLocalFile(str(place)) for place in side_folders(recent)])     # the desktop's own dialog has its own
    dialog.setHistory([str(place) for place in recent])
    chosen = Path(dialog.selectedFiles()[0]) if dialog.exec() and dialog.selectedFiles() else None
    dialog.deleteLater()
    return chosen


def ask_for_new_file(parent: QWidget | None, title: str, start: Path, filters: str, named: Callable[[Path, str], Path]) -> Path | None:
    """The file to write that the user chooses, None when the user gives up. start: folder and name at first.

    named(path, filter): which file is meant by what was entered, as `with_suffix`. Where that is another one, which exists, it is asked about here: the dialog
    has asked about what was entered only.
    """
    while True:
        name, chosen = QFileDialog.getSaveFileName(parent, title, str(start), filters)
        if not name:
            return None
        path = named(Path(name), chosen)
        if path == Path(name) or not path.exists() or _overwrite(parent, title, path):
            return path
        start = path


def _overwrite(parent: QWidget | None, title: str, path: Path) -> bool:
    return QMessageBox.question(parent, title, f"{path.name} already exists. Do you want to replace it?") == QMessageBox.StandardButton.Yes


def with_suffix(path: Path, suffix: str) -> Path:
    """The same with this suffix where it has none."""
    return path if path.suffix else path.with_name(path.name + suffix)


def side_folders(recent: Iterable[Path]) -> list[Path]:
    """Folders for the side of the dialog: used lately, the models of the program, then the user's usual ones; each once, only those that are there."""
    from assets.locate import bundled_models

    places = QStandardPaths.StandardLocation
    usual = [Path(text) for place in (places.HomeLocation, places.DesktopLocation, places.DocumentsLocation) if (text := QStandardPaths.writableLocation(place))]
    lately = list(dict.fromkeys(recent))[:MOST_FOLDERS]
    return [folder for folder in dict.fromkeys([*lately, *{path.parent for path in bundled_models()}, *usual]) if folder.is_dir()]
