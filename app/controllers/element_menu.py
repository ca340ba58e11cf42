"""The menu on an element, in the view, the tree and lists."""
from __future__ import annotations

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QMenu, QWidget

from app.context import AppContext
from app.controllers.selection import DRAWN, SelectionController, pose_of
from physics.model.elements import CONTACT, Element, body_of
from physics.model.relations import children


def fill_element_menu(menu: QMenu, elements: tuple[Element, ...], context: AppContext, controller: SelectionController, point=()) -> QMenu:
    """Entries for these elements, the last one active; the menu closes when another Model runs, where they are others. point: of the world, where the
    menu was asked for in the view."""
    context.model_changed.connect(menu.close)
    what, m, snapshot = elements[-1], context.model, context.snapshot
    title = menu.addAction(str(what) if len(elements) == 1 else f"{len(elements)} elements")
    title.setEnabled(False)
    menu.addSeparator()
    menu.addAction("Select", lambda: context.select_elements(elements))
    if body_of(m, what) or what.kind == "body":
        menu.addAction("Select parent" if what.kind == "body" else "Select its body", lambda: (context.select_elements((what,)), controller.select_parent()))
    if children(m, what):
        menu.addAction("Select children", lambda: (context.select_elements(elements), controller.select_children()))
    menu.addSeparator()
    menu.addAction("Frame", lambda: controller.frame(elements))
    if len(point):
        menu.addAction("Look here", lambda: controller.look_at(what, point))
    if body_of(m, what):
        menu.addAction("Track with the camera", lambda: controller.track(what))
    menu.addSeparator()
    if any(one.kind in DRAWN for one in elements):
        hidden = frozenset(elements) <= context.options.hidden
        menu.addAction("Show" if hidden else "Hide", lambda: controller.toggle_hidden(elements))
        menu.addAction("Show alone", lambda: controller.isolate(elements))
    if context.options.hidden or context.options.isolated:
        menu.addAction("Show everything", controller.show_all)
    menu.addSeparator()
    menu.addAction("Copy name", lambda: controller.copy_name(elements))
    menu.addAction("Copy path", lambda: controller.copy_path(elements))
    if snapshot is not None and pose_of(snapshot, what) is not None:
        menu.addAction("Copy pose", lambda: controller.copy_pose(what))
    menu.addSeparator()
    if may_be_explained(elements):
        menu.addAction("Why do these (not) touch?", lambda: controller.explain_contact(elements))
    menu.addAction("Go to XML", lambda: controller.go_to_text(what)).setEnabled(controller.place_of(what) is not None)
    return menu


def may_be_explained(elements: tuple[Element, ...]) -> bool:
    """Whether these are two that might touch, or a contact."""
    return elements[-1].kind == CONTACT or (len(elements) == 2 and all(what.kind in ("geom", "body") for what in elements))


def element_menu(parent: QWidget, elements: tuple[Element, ...], context: AppContext, controller: SelectionController, point=()) -> QMenu:
    """A menu of its own with these entries, gone when it is closed."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return fill_element_menu(menu, elements, context, controller, point)
