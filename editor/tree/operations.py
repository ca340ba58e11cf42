"""What is done to the structure of the open document: asks where something must be decided, makes one edit, selects what has come of it. One for a window.

    menu, key, palette, drop -> Operations -> editor.structure (an Edit of the present version, or why not) -> session.edit
"""
from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtWidgets import QApplication, QWidget

from editor.convex.decompose import Coacd, Decomposer
from editor.convex.part_files import folder_of
from editor.edits.version import outward
from editor.structure import add as adding
from editor.structure import create, extract, mirror
from editor.structure.attached import version_of, within
from editor.structure.convex_parts import MeshUse, add_parts, use_of
from editor.structure.copying import copied_text, duplicate, paste
from editor.structure.delete import InUse, delete
from editor.structure.draft import Change, Draft, Refusal, outermost
from editor.structure.includes import IncludeTag
from editor.structure.inlining import replicates
from editor.structure.inlining.attached_models import inline_attach
from editor.structure.inlining.composites import inline_composite
from editor.structure.legality import holding_body, why_not
from editor.structure.rename import rename
from editor.structure.reparent import reparent
from editor.structure.wrap import unwrap, wrap
from editor.tree import dialogs
from editor.tree.composite_dialog import CompositeDialog
from editor.tree.convex_dialog import ConvexDialog, tell_missing
from editor.tree.replicate_dialog import ReplicateDialog
from editor.wording import fault_text, what
from physics.errors import Issue, Place
from physics.spec.asset_folders import AssetFolders

__all__ = ["WAITS", "Operations"]

WAITS = "Until it is mended nothing is added, moved or deleted: what it holds, names and refers to is not known"

Make = Callable[[object], Change]       # of the present version
HOLDERS = ("body", "frame", "worldbody", "replicate")


def with_section(version, section: str, make: Callable[[object, int], Change]) -> Change:
    """A section of the model, made where there is none, and what `make` makes of the version with it and its id, as one edit."""
    draft = Draft(version)
    number = draft.section(section)
    inner = make(draft.version, number)
    draft.put(inner.edit.patches)
    return draft.change(inner.edit.label, keyframes=False)._replace(places=inner.places, notes=inner.notes)


class Operations(QObject):
    """session: app.session.Session; selection: the elements of the document that are selected; settings: what is remembered of answers; model: the Model that runs, or None; pictures: of what
    dialogs would make, as editor.tree.preview has it. decomposer: what takes meshes apart.

    Signals: told(text): why something was not done, or what else was done; place_wanted(Place): a place of the text is to be shown.
    """

    told, place_wanted = pyqtSignal(str), pyqtSignal(object)

    def __init__(self, session, selection, settings, window: QWidget, model: Callable[[], object] = lambda: None, pictures=None):
        super().__init__(window)
        self._session, self._selection, self._settings, self._window, self._model, self._pictures = session, selection, settings, window, model, pictures
        self.decomposer: Decomposer = Coacd()

    @property
    def version(self):
        """What the present texts read as."""
        return self._session.document.version()

    @property
    def chosen(self) -> tuple[int, ...]:
        """Ids of what is selected."""
        return tuple(self._selection.ids)

    def perform(self, make: Make, of: Iterable[int] = ()) -> bool:
        """Make an edit of the present version, or of the attached model in which `of` stand, and apply it; False, told, where it cannot be done."""
        if not self.possible():
            return False
        try:
            change = within(self.version, of, make)
        except InUse:
            raise
        except Refusal as reason:
            self.told.emit(str(reason))
            return False
        return self.apply(change)

    @property
    def broken(self) -> bool:
        """Whether a text is no XML: what its elements are to each other is not known then."""
        read = self.version.read
        return read.root is None or bool(read.broken) or not self._session.document.last_good.current

    @property
    def fault(self) -> Issue | None:
        """What makes a text no XML, with its place; None where all are."""
        read = self.version.read
        return next((issue for issue in reversed(read.errors) if issue.place is not None and issue.place.file in read.broken), None)

    @property
    def why_broken(self) -> str:
        """Why nothing can be done to the structure while a text is no XML: where that is, what is wrong there, and what to do. '' where all are.

        That is so where the fault is in an included file, too, and another one would be changed: names, references and the lengths of keyframes go over all of them."""
        if not self.broken:
            return ""
        fault = self.fault
        return f"{fault_text(fault) if fault is not None else 'A text is no XML'}. {WAITS}"

    def possible(self) -> bool:
        """Whether anything can be done to the structure now; False, told, where a text is no XML."""
        broken, document = self.broken, self._session.document
        if broken:
            self.told.emit(document.sealed if document.compiled else self.why_broken)
        return not broken

    def _version_of(self, numbers: Iterable[int]):
        """The version in whose tree elements stand; None, told, where nothing can be done there."""
        if not self.possible():
            return None
        try:
            return version_of(self.version, numbers)
        except Refusal as reason:
            self.told.emit(str(reason))
            return None

    def show_fault(self) -> None:
        """Show the place where a text is no XML."""
        if (fault := self.fault) is not None:
            self.place_wanted.emit(fault.place)

    def apply(self, change: Change) -> bool:
        """Apply what an operation made, and select what has come of it."""
        if not change.edit.patches:
            return False
        document = self._session.document
        try:
            files = document.files()
            codec = next((files[key].codec for key in change.edit.files if key in files), document.main.codec)
            for key in change.edit.files:
                if key not in files:        # a new file is written as the one it comes from
                    document.include(key).codec = codec
            self._session.edit(change.edit)
        except ValueError as reason:
            self.told.emit(str(reason))
            return False
        self._choose(change)
        self.told.emit(". ".join((change.edit.label, *change.notes)) if change.notes else "")
        return True

    def _choose(self, change: Change) -> None:
        version = self.version
        version.trees()         # attached models, too
        if version.root is None:
            return
        numbers = [version.ids.get(file, {}).get(start) for file, start in change.places]
        if found := [number for number in numbers if number is not None]:
            self._selection.select(found)

    # ------------------------------------------------------------------ of what is selected

    def delete(self) -> None:
        """Delete what is selected; where something needs it, the user decides."""
        numbers = self.chosen
        users = self._settings.get("edit/users")
        try:
            self.perform(lambda version: delete(version, numbers, "refuse" if users == "ask" else users), numbers)
        except InUse as used:
            dialogs.ask_users(self._window, str(used).partition(" is used by")[0], used.uses, lambda how, always: self._delete_with(numbers, how, always))

    def _delete_with(self, numbers: Sequence[int], how: str, always: bool) -> None:
        if always:
            self._settings.set("edit/users", how)
        self.perform(lambda version: delete(version, numbers, how), numbers)

    def duplicate(self) -> None:
        """A copy of each selected element behind it."""
        self.perform(lambda version: duplicate(version, self.chosen), self.chosen)

    def copy(self) -> bool:
        """What is selected as text on the clipboard."""
        if not self.possible():
            return False
        try:
            QApplication.clipboard().setText(copied_text(version_of(self.version, self.chosen), self.chosen))
        except Refusal as reason:
            self.told.emit(str(reason))
            return False
        return True

    def cut(self) -> None:
        """The same, and away with it."""
        if self.copy():
            self.perform(lambda version: delete(version, self.chosen, "leave"), self.chosen)

    def paste(self) -> None:
        """The elements of the clipboard into what is selected, or, where they cannot stand there, beside it."""
        text, chosen = QApplication.clipboard().text(), self.chosen
        self.perform(lambda version: self._pasted(version, text, chosen[-1] if chosen else None), chosen[-1:])

    @staticmethod
    def _pasted(version, text: str, number: int | None) -> Change:
        if number is None or version.element(number) is None:
            draft = Draft(version)
            return paste(version, text, draft.section("worldbody") if version.root.first("worldbody") is None else version.root.first("worldbody").id)
        first = None
        for node in outward(version, number):       # the nearest around that may hold them
            try:
                return paste(version, text, node.id)
            except Refusal as reason:
                first = first or reason
        raise first

    def wrap(self, tag: str) -> None:
        """What is selected into a new frame, body or replicate."""
        self.perform(lambda version: wrap(version, self.chosen, tag), self.chosen)

    def unwrap(self) -> None:
        """Take the selected frame or body away from around what it holds."""
        if self.chosen:
            self.perform(lambda version: unwrap(version, self.chosen[-1]), self.chosen[-1:])

    def unroll(self) -> None:
        """The copies of the selected replicate written out."""
        if self.chosen:
            self.perform(lambda version: replicates.unroll(version, self.chosen[-1]), self.chosen[-1:])

    def inline_composite(self) -> None:
        """What the selected composite makes written out in its place."""
        if self.chosen:
            self.perform(lambda version: inline_composite(version, self.chosen[-1]), self.chosen[-1:])

    def inline_attach(self) -> None:
        """What the selected attach brings written out in its place."""
        if self.chosen:
            self.perform(lambda version: inline_attach(version, self.chosen[-1]), self.chosen[-1:])

    def mirror(self, normal: str = "y", users: bool = True) -> None:
        """The mirror image of what is selected beside it. users: with those of its actuators, sensors, contacts, tendons and equalities."""
        self.perform(lambda version: mirror.mirror(version, self.chosen, normal, users=users), self.chosen)

    def mirror_in_place(self, normal: str = "y") -> None:
        """What is selected becomes its mirror image."""
        self.perform(lambda version: mirror.mirror(version, self.chosen, normal, copy=False), self.chosen)

    def rename(self, number: int, name: str) -> None:
        """Another name for an element, and wherever it is named."""
        self.perform(lambda version: rename(version, number, name))

    def make_class(self) -> None:
        """A default class of what the selected elements have in common; asks for its name."""
        if not self.possible():
            return
        numbers = self.chosen
        try:
            version = version_of(self.version, numbers)
            common = extract.common_attributes(version, numbers)
            preferred = Draft(version).names().unique("default", version.element(numbers[0]).tag)
        except Refusal as reason:
            self.told.emit(str(reason))
            return
        if not common:
            self.told.emit("These elements have no attribute in common that a class may hold")
            return
        shown = " ".join(f'{name}="{text}"' for name, text in common.items())
        dialogs.ask_text(self._window, "New default class", f"Name of the class of {len(numbers)} elements with\n{shown}", preferred,
                         lambda name: self.perform(lambda now: extract.extract_class(now, numbers, name), numbers))

    def make_include(self) -> None:
        """What is selected into a file of its own; asks for it."""
        base = self._folder() if self.possible() else ""
        if base:
            numbers = self.chosen
            dialogs.ask_new_file(self._window, "Put into a new file", base, lambda path: self.perform(lambda version: self._included(version, numbers, path), numbers))

    @staticmethod
    def _included(version, numbers: Sequence[int], path: str) -> Change:
        if os.path.exists(path):
            raise Refusal(f"{os.path.basename(path)} is there already: choose another name")
        return extract.extract_include(version, numbers, os.path.abspath(path))

    def _folder(self) -> str:
        path = self._session.document.main.path
        if path is None:
            self.told.emit("Save the model first: other files are named from its folder")
            return ""
        return str(path.parent)

    # ------------------------------------------------------------------ of includes

    def inline_include(self, tag: IncludeTag) -> None:
        """The text of an included file in place of its include."""
        self.perform(lambda version: replicates.inline_include(version, tag))

    def remove_include(self, tag: IncludeTag) -> None:
        """Take an include out of the text."""
        self.perform(lambda version: replicates.remove_include(version, tag))

    # ------------------------------------------------------------------ moving and making

    def move(self, numbers: Iterable[int], parent: int, before: int | None, local: bool = False, classes: str = "", free: str = "refuse") -> None:
        """Move elements; asks once what becomes of what another default class says of them there."""
        if not self.possible():
            return
        numbers, pose = tuple(numbers), "local" if local else "world"
        how = classes or self._settings.get("edit/moved_class")
        try:
            if how == "ask":
                version = version_of(self.version, (*numbers, parent))
                taken = reparent(version, numbers, parent, before, pose, "take", free)
                kept = reparent(version, numbers, parent, before, pose, "name", free)
                if taken.edit != kept.edit:
                    dialogs.ask_class(self._window, lambda answer, always: self._moved(numbers, parent, before, pose, answer, always, free))
                    return
                self.perform(lambda _same_version: kept, (*numbers, parent))
                return
        except Refusal as reason:
            if free == "refuse" and "free joint" in str(reason):
                dialogs.ask(self._window, "Free joint", f"{reason}.\nMove it without its free joint?", "Take the joint away",
                            lambda: self.move(numbers, parent, before, local, classes, "remove"))
                return
            self.told.emit(str(reason))
            return
        self._moved(numbers, parent, before, pose, how, False, free)

    def _moved(self, numbers, parent: int, before: int | None, pose: str, classes: str, always: bool, free: str) -> None:
        if always:
            self._settings.set("edit/moved_class", classes)
        self.perform(lambda version: reparent(version, numbers, parent, before, pose, classes, free), (*numbers, parent))

    def nudge(self, steps: int) -> None:
        """Move what is selected up or down among its siblings."""
        version = self._version_of(self.chosen)
        chosen = outermost(version, self.chosen) if version is not None else []
        if not chosen:
            return
        parent = version.parent(chosen[0])
        inside = [child.id for child in parent.children]
        if any(number not in inside for number in chosen):
            return
        rest = [number for number in inside if number not in chosen]
        at = sum(1 for number in rest if inside.index(number) < inside.index(chosen[0])) + steps
        if 0 <= at <= len(rest):
            self.perform(lambda now: reparent(now, chosen, parent.id, rest[at] if at < len(rest) else None, "local", "take"), chosen)

    def add(self, parent: int, tag: str, attrs: Mapping[str, str] | None = None) -> None:
        """A new element inside another one, with attributes; where its kind needs a file, it is asked for."""
        if tag in ("mesh", "skin", "model"):
            self.add_file(parent, tag)
            return
        target = self.chosen[-1] if self.chosen else None
        self.perform(lambda version: adding.add(version, parent, tag, attrs, target), (parent,))

    def add_to_section(self, section: str, tag: str) -> None:
        """A new element in a section of the model, which is made where there is none."""
        target = self.chosen[-1] if self.chosen else None
        self.perform(lambda version: self._in_section(version, section, tag, target))

    @staticmethod
    def _in_section(version, section: str, tag: str, target: int | None) -> Change:
        return with_section(version, section, lambda now, number: adding.add(now, number, tag, target=target))

    def add_body(self, joint: str = "hinge", geom: str = "capsule") -> None:
        """A body with a joint and a geom, in the selected body or the world."""
        self.perform(lambda version: self._in_holder(version, "body", lambda now, holder: create.body(now, holder, joint, geom)), self.chosen[-1:])

    def add_body_of(self, kind: tuple[str, str]) -> None:
        """The same of a joint and geom by name."""
        self.add_body(*kind)

    def add_composite(self, holder: int | None = None) -> CompositeDialog | None:
        """A composite by a dialog with a preview, in an element, else the nearest around what is selected that may hold it. The dialog, None where nothing can be added, which is told."""
        of = (holder,) if holder is not None else self.chosen[-1:]
        there = self._version_of(of)
        if there is None:
            return None
        try:
            draft = Draft(there)
            had_world, world = there.root.first("worldbody") is not None, draft.section("worldbody")     # the edit makes one, where there is none
            version = draft.version
            dialog = CompositeDialog(self._window, version, holder if holder is not None else self._composite_holder(version, world), self._pictures,
                                     lambda make: self._add_composite(make, not had_world, of), self._session.compat, self._known())
        except Refusal as reason:
            self.told.emit(str(reason))
            return None
        dialog.open()
        return dialog

    def _add_composite(self, make: Make, with_world: bool, of: Sequence[int]) -> None:
        self.perform((lambda version: with_section(version, "worldbody", lambda now, number: make(now, parent=number))) if with_world else make, of)

    def _composite_holder(self, version, world: int) -> int:
        node = version.element(self.chosen[-1]) if self.chosen else None
        while node is not None and (node.tag not in HOLDERS or why_not(version, node.id, "composite")):
            node = version.parent(node.id)
        return node.id if node is not None else world

    def _known(self) -> set[str]:
        """What is wrong with the document as it is."""
        return {issue.what for issue in self._session.issues}

    def replicate(self) -> ReplicateDialog | None:
        """What is selected into a replicate, or the selected replicate changed, by a dialog with a preview. The dialog, None where nothing is selected."""
        version = self._version_of(self.chosen)
        if version is None:
            return None
        chosen = outermost(version, self.chosen)
        if not chosen:
            self.told.emit("Select what is to be replicated")
            return None
        compat, known = self._session.compat, self._known()
        dialog = ReplicateDialog(self._window, version, chosen, self._pictures, lambda make: self.perform(make, chosen), compat, known)
        dialog.open()
        return dialog

    def add_actuator(self, tag: str) -> None:
        """An actuator on what is selected, with gains for what it moves."""
        if self.chosen:
            target = self.chosen[-1]
            inertia, limits = self._moved_by(target)
            self.perform(lambda version: create.actuator(version, target, tag, inertia, limits))

    def connect(self, tag: str) -> None:
        """A connect or weld of the selected bodies, or of the one and the world."""
        self.perform(lambda version: create.connect(version, self.chosen[-2:], tag))

    def add_sensor(self, tag: str) -> None:
        """A sensor about what is selected."""
        if self.chosen:
            self.perform(lambda version: create.sensor(version, self.chosen[-1], tag))

    def add_in_holder(self, tag: str) -> None:
        """A joint, geom, site, camera, light or frame in the selected body, or the one around what is selected."""
        self.perform(lambda version: self._in_holder(version, tag, lambda now, holder: adding.add(now, holder, tag)), self.chosen[-1:])

    def _in_holder(self, version, tag: str, make: Callable[[object, int], Change]) -> Change:
        """What `make` makes in the nearest around what is selected that may hold it, else in the world, which is made where there is none."""
        try:
            return make(version, self._holder(version, tag))
        except LookupError:
            return with_section(version, "worldbody", make)

    def _holder(self, version, tag: str = "body") -> int:
        """The nearest around what is selected that may hold an element with a tag, else the world."""
        for node in outward(version, self.chosen[-1]) if self.chosen and version.root is not None else ():
            if node.tag in HOLDERS and tag in adding.offered(version, node.id):
                return node.id
        if version.root is None:
            raise Refusal("The text cannot be read as XML: mend it first")
        world = version.root.first("worldbody")
        if world is None:
            raise LookupError("the model has no worldbody")
        return world.id

    def _moved_by(self, target: int) -> tuple[float | None, tuple[float, float] | None]:
        """(diagonal of the mass matrix at qpos0, range) of a joint in the model that runs."""
        m = self._model()
        found = [item for item in self._selection.items_of(target) if item.kind == "joint"] if m is not None else []
        if not found:
            return None, None
        j = found[0].id
        limits = tuple(map(float, m.jnt_range[j])) if m.jnt_limited[j] else None
        return float(m.dof_M0[m.jnt_dofadr[j]]), limits

    # ------------------------------------------------------------------ files

    def add_file(self, parent: int, tag: str) -> None:
        """A mesh, skin or model asset of a file."""
        if not self.possible():
            return
        dialogs.ask_file(self._window, f"File of the {tag}", str(self._session.document.main.path or ""), lambda path: self._add_file(parent, tag, path))

    def _add_file(self, parent: int, tag: str, path: str) -> None:
        named = self.named(path, parent, mesh=tag != "model")
        self.perform(lambda version: adding.add(version, parent, tag, {"file": named}), (parent,))

    def named(self, path: str, parent: int, mesh: bool = True) -> str:
        """How a file is named in the text of an element: from the folder that its kind is looked for in."""
        there = version_of(self.version, (parent,))
        root, main = there.root, self._session.document.main.path if there.main == self.version.main else Path(there.main)
        if main is None:
            return path
        base = os.path.join(str(main.parent), AssetFolders.of(root).below("mesh") if mesh else "")
        try:
            return os.path.relpath(path, base).replace(os.sep, "/")
        except ValueError:      # another drive
            return path

    def attach_file(self, path: str = "", parent: int | None = None) -> None:
        """A robot of another file attached to what is selected, or the world; asks for file, body and prefix."""
        if not self.possible():
            return
        if not path:
            dialogs.ask_file(self._window, "Model to attach", str(self._session.document.main.path or ""), lambda chosen: self.attach_file(chosen, parent))
            return
        try:
            target = parent if parent is not None else self._attach_target()
        except (Refusal, LookupError) as reason:
            self.told.emit(str(reason))
            return
        dialogs.AttachDialog(self._window, path, lambda body, prefix, pos: self.perform(
            lambda version: create.attach_model(version, target, os.path.abspath(path), prefix, body, pos), (target,)), what(self.version.element(target))).open()

    def _attach_target(self) -> int:
        version = self.version
        chosen = version.element(self.chosen[-1]) if self.chosen and version.root is not None else None
        return chosen.id if chosen is not None and chosen.tag == "site" else self._holder(version)

    def add_mesh_file(self, path: str, parent: int) -> None:
        """A mesh file as asset and geom; asks whether it is copied beside the model, and by what it is scaled."""
        if not self.possible():
            return
        dialog = dialogs.MeshDialog(self._window, path, self._session.document.main.path, lambda file, scale: self._add_mesh(file, scale, parent, dialog.convex.isChecked()), create.mesh_scale)
        dialog.open()

    def _add_mesh(self, file: str, scale: float, parent: int, convex: bool) -> None:
        if self.perform(lambda version: create.mesh(version, parent, self.named(file, parent), scale), (parent,)) and convex:
            self.decompose()

    def decompose(self, number: int | None = None) -> ConvexDialog | None:
        """A mesh, or that of a geom, taken apart into convex parts by a dialog; of what is selected without a number. The dialog, None where it cannot be, which is told."""
        if not self.possible():
            return None
        number = number if number is not None else self.chosen[-1] if self.chosen else None
        document, version = self._session.document, self.version
        if document.main.path is None:
            self.told.emit("Save the model first: the parts are written beside it")
            return None
        try:
            if number is None:
                raise Refusal("Select a mesh, or a geom that shows one")
            use = use_of(version, number)
        except Refusal as reason:
            self.told.emit(str(reason))
            return None
        if missing := self.decomposer.why_not():
            tell_missing(self._window, missing)
            return None
        folder = folder_of(version, version.element(use.mesh), document.main.path)
        dialog = ConvexDialog(self._window, version, use, folder, use.name.replace("/", "_"), self.decomposer, self._pictures, self._add_parts, self._session.compat)
        dialog.show()
        dialog.activateWindow()
        return dialog

    def _add_parts(self, use: MeshUse, geoms: Sequence[int], paths: Sequence) -> bool:
        if self._version_of((use.mesh,)) is None:
            return False
        files = [self.named(str(path), use.mesh) for path in paths]
        return self.perform(lambda version: add_parts(version, use.mesh, geoms, files), (use.mesh, *geoms))

    def drop_files(self, paths: Sequence[str], parent: int) -> None:
        """Files dropped on an element: meshes become geoms, models are attached."""
        for path in paths:
            if path.lower().endswith((".stl", ".obj", ".msh")):
                self.add_mesh_file(path, parent)
            else:
                self.attach_file(path, parent)

    def show_text(self, number: int) -> None:
        """Show where an element stands in the text."""
        good = self._session.document.last_good
        if (found := good.element(number)) is None:
            return
        if good.whole(number):
            self.place_wanted.emit(Place(*found.origin[:3]))
        else:
            self.told.emit(self.why_broken)

    def body_of(self, number: int):
        """The body that an element is part of."""
        return holding_body(self.version, number)
