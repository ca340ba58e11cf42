"""Asking for a file: the desktop's own dialog where there is one, else Qt's, with the folders used lately at its side."""
from collections.abc import Iterable
from pathlib import Path

from PyQt6.QtCore import QStandardPaths, QUrl
from PyQt6.QtWidgets import QFileDialog, QWidget

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


def side_folders(recent: Iterable[Path]) -> list[Path]:
    """Folders for the side of the dialog: used lately, the models of the program, then the user's usual ones; each once, only those that are there."""
    from assets.locate import bundled_models

    places = QStandardPaths.StandardLocation
    usual = [Path(text) for place in (places.HomeLocation, places.DesktopLocation, places.DocumentsLocation) if (text := QStandardPaths.writableLocation(place))]
    lately = list(dict.fromkeys(recent))[:MOST_FOLDERS]
    return [folder for folder in dict.fromkeys([*lately, *{path.parent for path in bundled_models()}, *usual]) if folder.is_dir()]
