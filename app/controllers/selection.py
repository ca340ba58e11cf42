"""What is selected: by a click, from the keyboard, from menus; and what is done with it: hide, show alone, frame, track, copy."""
from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtGui import QGuiApplication

from app.bridge.bounds import bounds_of
from app.context import AppContext
from app.controllers.view import ViewController
from app.controllers.click import Click
from physics.errors import Place
from physics.model.elements import Element, body_of, element
from physics.model.relations import children
from render.scene import rotation
from render.scene.shapes import OBJ_LEGEND

DRAWN = ("body", "geom", "site", "joint", "camera", "light", "skin", "tendon", "actuator", "sensor", "equality")   # kinds that can be hidden


class SelectionController(QObject):
    """Handlers of the selection's actions; without elements they act on what is selected. Signals: place_wanted(place) to be shown in the text; panel_wanted(id) to be shown
    on top."""

    place_wanted = pyqtSignal(object)
    panel_wanted = pyqtSignal(str)

    def __init__(self, context: AppContext, view_control: ViewController):
        super().__init__()
        self._context, self._view = context, view_control
        self.present_place: Callable[[Element], Place | None] = lambda _what: None      # in the texts as they are now (TextSelection), where those of the model are of earlier ones

    # ------------------------------------------------------------------ selecting

    def clicked(self, thing, click: Click) -> None:
        """A click with the left button: select what was clicked (app.viewport.hover.Thing), or nothing; with Shift or Ctrl beside what is selected."""
        if thing is not None and thing.objtype == OBJ_LEGEND:
            return
        if thing is not None and thing.element is not None:
            self._context.select_elements((thing.element,), add=click.add, toggle=click.toggle)
        elif not (click.add or click.toggle):
            self._context.select_nothing()

    def select_parent(self) -> None:
        """The parent of the active body, the body of anything else; of a body of the world nothing."""
        m, what = self._context.model, self._context.selection.active
        if m is None or what is None:
            return
        body = body_of(m, what) if what.kind != "body" else int(m.body_parentid[what.id])
        self._context.select_elements((element(m, "body", body),) if body else ())

    def select_children(self) -> None:
        """What the selected bodies carry, and the bodies below them."""
        m = self._context.model
        below = [child for what in self._context.selection.elements for child in children(m, what)] if m is not None else []
        if below:
            self._context.select_elements(below)

    def select_nothing(self) -> None:
        """Nothing is selected any more."""
        self._context.select_nothing()

    def _chosen(self, elements: Iterable[Element] | None) -> tuple[Element, ...]:
        return self._context.selection.elements if elements is None else tuple(elements)

    # ------------------------------------------------------------------ hiding

    def hide(self, elements: Iterable[Element] | None = None) -> None:
        """Hide these, bodies with all below them."""
        options = self._context.options
        wanted = frozenset(what for what in self._chosen(elements) if what.kind in DRAWN)
        if wanted:
            options.hidden |= wanted
            self._context.options_changed.emit()

    def show(self, elements: Iterable[Element]) -> None:
        """Show these again."""
        self._context.options.hidden -= frozenset(elements)
        self._context.options_changed.emit()

    def toggle_hidden(self, elements: Iterable[Element] | None = None) -> None:
        """Hide these, or show them again if all of them are hidden."""
        chosen = frozenset(self._chosen(elements))
        self.show(chosen) if chosen and chosen <= self._context.options.hidden else self.hide(chosen)

    def show_all(self) -> None:
        """Nothing is hidden any more."""
        self._context.options.hidden = self._context.options.isolated = frozenset()
        self._context.options_changed.emit()

    def isolate(self, elements: Iterable[Element] | None = None) -> None:
        """Show these alone, also where they or bodies above them were hidden; once more: everything again."""
        options, wanted = self._context.options, frozenset(what for what in self._chosen(elements) if what.kind in DRAWN)
        if options.isolated and (not wanted or wanted == options.isolated):
            options.isolated = frozenset()
        elif wanted:
            options.isolated = wanted
            options.hidden -= wanted | self._bodies_above(wanted)
        self._context.options_changed.emit()

    def _bodies_above(self, elements: Iterable[Element]) -> frozenset[Element]:
        """The bodies that hide these when they are hidden."""
        m = self._context.model
        bodies = {0}
        for what in elements if m is not None else ():
            body = body_of(m, what)
            while body not in bodies:
                bodies.add(body)
                body = int(m.body_parentid[body])
        return frozenset(element(m, "body", body) for body in bodies) if m is not None else frozenset()

    # ------------------------------------------------------------------ looking

    def frame(self, elements: Iterable[Element] | None = None) -> None:
        """Bring these into the middle of the view and fill it with them; all of the model where nothing is selected."""
        snapshot = self._context.snapshot
        if snapshot is None:
            return
        found = [ball for what in self._chosen(elements) if (ball := bounds_of(snapshot.model, snapshot, what)) is not None]
        if found:
            low = np.min([centre - radius for centre, radius in found], axis=0)
            high = np.max([centre + radius for centre, radius in found], axis=0)
            self._view.frame((low + high) / 2, float(max(np.linalg.norm(high - low) / 2 if len(found) > 1 else found[0][1], 1e-3 * self._view.extent)))
        elif not self._chosen(elements):
            self._view.frame(snapshot.model.stat_center, float(snapshot.model.stat_extent))

    def track(self, what: Element | None = None) -> None:
        """Follow the body of an element with the camera."""
        what, m = what or self._context.selection.active, self._context.model
        if what is not None and m is not None and body_of(m, what):
            self._view.track_body(body_of(m, what))

    def look_at(self, what: Element | None = None, point=()) -> None:
        """Centre the view at a point, or at an element."""
        snapshot, what = self._context.snapshot, what or self._context.selection.active
        ball = bounds_of(snapshot.model, snapshot, what) if what is not None and snapshot is not None and not len(point) else None
        if len(point) or ball is not None:
            self._view.look_at(point if len(point) else ball[0])

    # ------------------------------------------------------------------ text

    def path_of(self, what: Element) -> str:
        """Bodies from the world down to an element, then itself: 'torso/thigh/geom thigh_shape'."""
        m = self._context.model
        body, names = body_of(m, what), []
        while body:
            names.append(m.name("body", body) or f"body {body}")
            body = int(m.body_parentid[body])
        return "/".join([*names[::-1], *([] if what.kind == "body" and what.id else [str(what)])])

    def copy_name(self, elements: Iterable[Element] | None = None) -> None:
        """Names on the clipboard, one a line; what has none by kind and number."""
        self._copy("\n".join(what.name or str(what) for what in self._chosen(elements)))

    def copy_path(self, elements: Iterable[Element] | None = None) -> None:
        """Paths through the bodies on the clipboard, one a line."""
        if self._context.model is not None:
            self._copy("\n".join(map(self.path_of, self._chosen(elements))))

    def copy_pose(self, what: Element | None = None) -> None:
        """Where an element is in the world, as attributes on the clipboard: pos="..." quat="..."."""
        what, snapshot = what or self._context.selection.active, self._context.snapshot
        pose = pose_of(snapshot, what) if what is not None and snapshot is not None else None
        if pose is not None:
            self._copy(" ".join(f'{word}="{" ".join(f"{x:.6g}" for x in values)}"' for word, values in zip(("pos", "quat"), pose, strict=True)))

    def _copy(self, text: str) -> None:
        if text:
            QGuiApplication.clipboard().setText(text)
            self._context.log("info", f"Copied: {text.splitlines()[0]}{' ...' if chr(10) in text else ''}")

    def place_of(self, what: Element) -> Place | None:
        """Where an element stands in the text; None where that is not known."""
        places = self._context.model.places.get(what.kind, ()) if self._context.model is not None else ()
        return places[what.id] if what.id < len(places) else None

    def go_to_text(self, what: Element | None = None) -> None:
        """Show where an element stands in the text."""
        what = what or self._context.selection.active
        place = (self.present_place(what) or self.place_of(what)) if what is not None else None
        if place is not None:
            self.place_wanted.emit(place)

    def explain_contact(self, elements: Iterable[Element] | None = None) -> None:
        """Show why two geoms or bodies, or a contact's geoms, touch or do not."""
        chosen = self._chosen(elements)
        if elements is not None and chosen != self._context.selection.elements:
            self._context.select_elements(chosen)
        self.show_panel("contact")

    def show_panel(self, panel_id: str) -> None:
        """Have a panel shown on top of its neighbours."""
        self.panel_wanted.emit(panel_id)


def pose_of(snapshot, what: Element) -> tuple[np.ndarray, np.ndarray] | None:
    """Position and quaternion of an element in the world; None for what has none."""
    fields: dict[str, Callable] = {
        "body": lambda i: (snapshot.xpos[i], snapshot.xmat[i]), "geom": lambda i: (snapshot.geom_xpos[i], snapshot.geom_xmat[i]),
        "site": lambda i: (snapshot.site_xpos[i], snapshot.site_xmat[i]), "camera": lambda i: (snapshot.cam_xpos[i], snapshot.cam_xmat[i])}
    if what.kind not in fields:
        return None
    pos, mat = fields[what.kind](what.id)
    return pos, rotation.from_matrix(np.reshape(mat, (3, 3)))
