"""What this program is."""
from importlib.metadata import PackageNotFoundError, version

from PyQt6.QtWidgets import QMessageBox, QWidget

TEXT = """<h3>Linkwork {version}</h3>
<p>Open a robot or any articulated model written in MJCF, watch it move in real time, push it, edit it while it runs,
and understand why it moves as it does.</p>
<p>Licence: GPL-3.0-or-later.</p>"""


def show_about(parent: QWidget) -> None:
    """Show the box and wait for it to be closed."""
    try:
        number = version("linkwork")
    except PackageNotFoundError:
        number = ""
    QMessageBox.about(parent, "About Linkwork", TEXT.format(version=number))
