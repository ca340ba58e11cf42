"""What the texts of a session say, for the helps of the XML panel: symbols of all texts, the tree with its default classes while they are XML, edits."""
from __future__ import annotations

from editor.edits.patch import Edit, apply
from editor.language.completion import Surroundings
from editor.language.files import Folders
from editor.language.symbols import SymbolReader, Symbols
from editor.well_formed import is_well_formed
from physics.spec.defaults import Resolver

__all__ = ["DocumentLanguage"]


class DocumentLanguage:
    """One for a panel. Everything is looked up when it is asked for, and kept until the texts are others."""

    def __init__(self, session):
        self._session = session
        self._reader = SymbolReader()
        self._folders = Folders()
        self._resolver: tuple[object, Resolver] | None = None

    @property
    def texts(self) -> dict[str, str]:
        """{key: text} of all files."""
        return self._session.document.texts()

    @property
    def main(self) -> str:
        """Key of the main file."""
        return self._session.document.main_key

    def sealed(self, file: str) -> bool:
        """Whether a file is only read."""
        document = self._session.document
        return bool(document.sealed) or document.files()[file].sealed

    def symbols(self) -> Symbols:
        """Those of the present texts."""
        return self._reader.read(self.texts, self.main)

    def surroundings(self, file: str, explicit: bool = False) -> Surroundings:
        """For completion in a file. Between two keys the names are those known last: reading them anew would take longer than may be."""
        symbols = self._reader.last if self._reader.last is not None and file in self._reader.last.files else self.symbols()
        saved = self._session.document.main.path is not None
        return Surroundings(symbols, file, symbols.models.get(file, self.main) if saved else "", explicit, self._folders)

    def resolver(self) -> Resolver | None:
        """Default classes of the tree that the present texts read as; None while they are no XML, and for a model in another language."""
        root = self._session.document.version().root
        if root is None or root.tag != "mujoco":
            return None
        if self._resolver is None or self._resolver[0] is not root:
            self._resolver = root, Resolver(root)
        return self._resolver[1]

    def broken(self) -> str:
        """Key of the first file that the reader makes nothing of now; '' where there is none."""
        read = self._session.document.version().read
        met = read.sources.keys()       # others are not included, or belong to a model that is attached
        return next((file for file, text in self.texts.items() if text.strip() and (file in read.broken if file in met else not is_well_formed(text, None))), "")

    def commit(self, edit: Edit) -> bool:
        """Change the texts; applied at once where they are XML after it, which is returned. Raises ValueError for what cannot be changed."""
        for file in edit.files:
            if self.sealed(file):
                raise ValueError(self._session.document.sealed or f"{file} is only read")
        good = all(is_well_formed(text, None) for text in apply(self.texts, edit).values())
        self._session.edit(edit, apply=good)
        return good
