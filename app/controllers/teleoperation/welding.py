"""A mocap body with a weld for a body of the model, as one Edit of the text, and the drive that moves it once that runs.

    lead(body) --Edit--> text --> Model --> mocap body put where the body is by then --> drive
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, pyqtSignal

from app.context import AppContext
from app.controllers.teleoperation.devices import KEYBOARD, TeleoperationController
from app.session import Session
from editor.structure.draft import Refusal
from editor.tree.operations import Operations
from physics.model.model import Model
from physics.runtime import commands

if TYPE_CHECKING:
    from app.inputs.mapping.drive_mapping import DriveMapping
    from physics.runtime.snapshot import Snapshot

MOST = 12       # bodies that are offered


def leadable(m: Model, selected: int = 0) -> list[int]:
    """Bodies that a mocap body could lead, the likeliest first: the selected one, those at the ends of chains, free ones, the last ones of trees. None that a mocap body leads already,
    none that the text has in several copies."""
    from app.inputs.drives.mocap import welded
    from app.inputs.mapping.proposals import chain_ends

    led = {found[1] for body in range(m.nbody) if m.body_mocapid[body] >= 0 and (found := welded(m, body)) is not None}
    trees: dict[int, int] = {}
    for body in range(1, m.nbody):
        trees[int(m.body_treeid[body])] = body
    free = [body for body in range(1, m.nbody) if m.body_jntnum[body] and m.jnt_type[m.body_jntadr[body]] == 0]
    wanted = [selected, *(int(m.site_bodyid[site]) for site, _joints in chain_ends(m)), *free, *trees.values()]
    return [body for body in dict.fromkeys(wanted) if body > 0 and body not in led and m.body_treeid[body] >= 0 and _once(m, body)][:MOST]


def _once(m: Model, body: int) -> bool:
    source = m.links.source("body", body)
    return source is not None and not source.copies


def lacks_weld(m: Model, one: DriveMapping) -> str:
    """'body' where there is no mocap body that a drive of kind mocap could move; 'weld' where it leads nothing, and is none that pushes other things; '' where all is well."""
    from app.inputs.drives.mocap import welded

    if one.kind != "mocap":
        return ""
    body = m.id("body", one.mocap) if one.mocap else -1
    if body < 0 or m.body_mocapid[body] < 0:
        return "body"
    geoms = slice(int(m.body_geomadr[body]), int(m.body_geomadr[body]) + int(m.body_geomnum[body]))
    pushes = m.body_geomnum[body] > 0 and bool((m.geom_contype[geoms] | m.geom_conaffinity[geoms]).any())
    return "weld" if not pushes and welded(m, body) is None else ""


@dataclass(slots=True)
class Made:
    """A drive that moves a mocap body which was made here. before: what it was, None: there was none; drive: what it is, or was when its mocap body went; gone: it went
    with its mocap body, and comes with it again."""

    mocap: str
    before: DriveMapping | None
    drive: DriveMapping
    gone: bool = False


class Welding(QObject):
    """Signal: told(text) why it cannot be done, '' when it is.

    A drive goes with its mocap body, by an undo of the Edit, and comes with it again; one that was there before is as it was before."""

    told = pyqtSignal(str)

    def __init__(self, context: AppContext, session: Session, structure: Operations, teleoperation: TeleoperationController, parent: QObject | None = None):
        super().__init__(parent)
        self._context, self._structure, self._control = context, structure, teleoperation
        self._wanted: tuple[str, str] | None = None     # mocap body that is on its way, drive that is to move it ('': another one)
        self._put = ""                                  # mocap body that is to go where what it leads is
        self._run = False                               # the run is to go on then
        self._made: list[Made] = []
        context.model_changed.connect(self._model_changed)
        context.snapshot_ready.connect(self._place)
        session.problem_changed.connect(lambda text: self._forget() if text else None)

    def lead(self, body: int, drive: str = "", mocap: str = "") -> bool:
        """Have a body of the model led: by the mocap body of that name, '' by one that is made. drive: name of the drive that is to move it, '' for another one. False, told, where it cannot be."""
        from app.inputs.drives.weld_edit import mocap_of, weld_edit

        m = self._context.model
        source = m.links.source("body", body) if m is not None else None
        if source is None or self._structure.broken:
            self.told.emit(self._structure.why_broken or "The text of the model does not say where this body comes from")
            return False
        try:
            change = weld_edit(self._structure.version, source.element, mocap)
        except Refusal as why:
            self.told.emit(str(why))
            return False
        name, snapshot = mocap_of(self._structure.version, change), self._context.snapshot
        self._wanted, self._put, self._run = (name, drive), name, snapshot is not None and snapshot.running
        if self._run:
            self._context.runner.send(commands.Pause())     # else the weld would pull what has moved back to where the text has it
        if not self._structure.apply(change):
            self._forget()
            self.told.emit("The text of the model could not be changed")
            return False
        self.told.emit("")
        return True

    def _forget(self) -> None:
        self._wanted, self._put = None, ""
        if self._run:
            self._run = False
            self._context.runner.send(commands.Run())

    # ------------------------------------------------------------------ once it runs

    def _model_changed(self, m: Model) -> None:
        if self._context.newly_opened:
            self._made.clear()
            self._forget()
            return
        for made in self._made:
            self._follow_undo(m, made)
        if self._wanted is not None and _is_mocap(m, self._wanted[0]):
            (name, drive), self._wanted = self._wanted, None
            self._have_moved(name, drive)

    def _drive(self, name: str) -> DriveMapping | None:
        return next((one for one in self._control.mapping.drives if one.name == name), None)

    def _have_moved(self, mocap: str, name: str) -> None:
        """A drive for the mocap body: another one, or that of a name as it is save for what it moves."""
        drives, before = self._control.mapping.drives, self._drive(name)
        source = before.source if before is not None else drives[-1].source if drives else KEYBOARD
        proposed = next((one for one in self._control.offered(source) if one.mocap == mocap), None)
        if proposed is None or before is None and mocap in {one.mocap for one in drives}:
            return      # with nothing else to be driven it was proposed before
        if before is not None:
            self._control.change(name, kind="mocap", mocap=mocap, gripper=before.gripper or proposed.gripper)
        else:
            name = self._control.add(proposed)
        self._made = [one for one in self._made if one.drive.name != name] + [Made(mocap, before, self._drive(name))]

    def _follow_undo(self, m: Model, made: Made) -> None:
        there, now = _is_mocap(m, made.mocap), self._drive(made.drive.name)
        if not there and now is not None and now.mocap == made.mocap:
            made.drive = now        # with what was changed of it meanwhile
            if made.before is None:
                made.gone = True
                self._control.remove(now.name)
            else:
                self._control.change(now.name, kind=made.before.kind, mocap=made.before.mocap, gripper=made.before.gripper)
        elif there and now is None and made.gone:
            made.gone = False
            self._control.add(made.drive)
        elif there and now is not None and made.before is not None and now.mocap == made.before.mocap:
            self._control.change(now.name, kind=made.drive.kind, mocap=made.drive.mocap, gripper=made.drive.gripper)

    def _place(self, snapshot: Snapshot) -> None:
        """The first state of the Model that has it: put the mocap body where what it leads is, so that nothing is pulled anywhere, and let the run go on."""
        if not self._put or snapshot.model is not self._context.model or not _is_mocap(snapshot.model, self._put):
            return
        from app.inputs.drives.mocap import MocapDrive
        from app.inputs.mapping.drive_mapping import DriveMapping

        m, drive = snapshot.model, MocapDrive(DriveMapping(self._put, KEYBOARD, "mocap", mocap=self._put))
        drive.bind(m)
        pose = drive.actual(snapshot)
        if pose is not None:      # else the weld is yet to come
            self._context.runner.send(commands.MoveMocap(int(m.body_mocapid[m.id("body", self._put)]), pose.pos, pose.quat))
            self._put = ""
            self._forget()


def _is_mocap(m: Model, name: str) -> bool:
    body = m.id("body", name)
    return body >= 0 and m.body_mocapid[body] >= 0
