"""The menu on an element of the document: what can be added there, and what can be done to it."""
from __future__ import annotations

from PyQt6.QtGui import QKeySequence
from PyQt6.QtWidgets import QMenu

from editor.structure.add import VARIANTS, offered, sections
from editor.structure.create import sensors_for
from editor.structure.includes import IncludeTag
from editor.structure.legality import path_of_kind, why_not
from editor.structure.offered import ACTUATORS, BODIES
from editor.structure.poses import in_body_tree
from editor.widgets.element_icons import kind_icon
from editor.tree.operations import Operations
from physics.errors import Place
from physics.schema import schema
from physics.schema.schema_docs import describe
from physics.spec.element import Element

__all__ = ["add_text_menu", "fill_add_menu", "fill_element_menu", "fill_include_menu"]

DRIVEN = frozenset({"joint", "site", "spatial", "fixed"})
IN_BODIES = ("body", "worldbody", "frame", "replicate")
COMMON = ("body", "joint", "freejoint", "geom", "site", "camera", "light", "frame", "inertial")      # first in menus
OF_SETTINGS = frozenset({"worldbody", "default", "visual", "compiler", "option", "size", "statistic", "extension"})      # sections without elements to add
MANY = 14       # of more the rest is in a menu of its own


def fill_add_menu(menu: QMenu, operations: Operations, number: int | None) -> QMenu:
    """What can be added to an element, to what is around it, and to the sections of the model."""
    menu.setToolTipsVisible(True)
    version = operations.version
    if operations.broken:
        _say_broken(menu, operations)
        return menu
    element = version.element(number) if number is not None else None
    bodies = menu.addMenu(kind_icon("body"), "Body with joint and geom")
    for words, (joint, geom) in BODIES.items():
        bodies.addAction(words, lambda joint=joint, geom=geom: operations.add_body(joint, geom))
    if element is not None:
        _add_about(menu, operations, element)
        menu.addSeparator()
        _add_tags(menu, operations, element.id, element.tag == "mujoco")
        if element.tag in IN_BODIES and not why_not(version, element.id, "composite"):
            menu.addAction(kind_icon("composite"), "Composite...", lambda: operations.add_composite(element.id))
    holder = _holder(version, element)
    if holder is not None and holder is not element:
        inner = menu.addMenu(kind_icon(holder.tag), f"In {holder.tag} {holder.name}".strip())
        _add_tags(inner, operations, holder.id, False)
        inner.addAction(kind_icon("composite"), "Composite...", lambda: operations.add_composite(holder.id))
    if holder is None:
        menu.addAction(kind_icon("composite"), "Composite...", lambda: operations.add_composite())
    menu.addSeparator()
    _add_sections(menu.addMenu(kind_icon("section"), "In a section"), operations)
    menu.addAction(kind_icon("attach"), "Robot of another file...", operations.attach_file)
    return menu


def _holder(version, element: Element | None) -> Element | None:
    """The body or frame that an element is or stands in; the world for none."""
    if element is None:
        return version.root.first("worldbody")
    while element is not None and element.tag not in IN_BODIES:
        element = version.parent(element.id)
    return element


def _add_about(menu: QMenu, operations: Operations, element: Element) -> None:
    """What acts on an element, measures or ties it."""
    if element.tag in DRIVEN and (element.tag in ("spatial", "fixed") or in_body_tree(operations.version, element.id)):
        inner = menu.addMenu(kind_icon("actuator"), "Actuator")
        for tag in ACTUATORS:
            inner.addAction(tag, lambda tag=tag: operations.add_actuator(tag)).setToolTip(describe(f"actuator/{tag}"))
    if found := sensors_for(operations.version, element.id):
        inner = menu.addMenu(kind_icon("sensor"), "Sensor")
        for tag in found:
            inner.addAction(tag, lambda tag=tag: operations.add_sensor(tag)).setToolTip(describe(f"sensor/{tag}"))
    if element.tag == "body":
        inner = menu.addMenu(kind_icon("equality"), "Equality")
        for tag in ("connect", "weld"):
            inner.addAction(f"{tag.capitalize()} between the two selected bodies, or one and the world", lambda tag=tag: operations.connect(tag)).setToolTip(describe(f"equality/{tag}"))


def _add_sections(menu: QMenu, operations: Operations) -> None:
    for section in sections():
        tags = [tag for tag in schema.lookup(section).children if section not in OF_SETTINGS and not schema.child_spec(section, tag).legacy and tag != "plugin"]
        if tags:
            below = menu.addMenu(kind_icon(section), section)
            for tag in tags:
                below.addAction(tag, lambda section=section, tag=tag: operations.add_to_section(section, tag)).setToolTip(describe(f"{section}/{tag}"))


def _add_tags(menu: QMenu, operations: Operations, number: int, root: bool) -> None:
    version = operations.version
    tags = offered(version, number)
    ordered = [tag for tag in COMMON if tag in tags] + [tag for tag in tags if tag not in COMMON]
    path = "" if root else path_of_kind(version, number)
    rest = menu
    for k, tag in enumerate(ordered):
        if k == MANY and len(ordered) > MANY + 3:
            rest = menu.addMenu("More")
        known = schema.child_spec("mujoco" if root else path, tag)
        if tag in VARIANTS and path.partition("/")[0] in ("body", "worldbody"):
            kinds = rest.addMenu(kind_icon(tag), tag)
            for kind, attrs in VARIANTS[tag].items():
                if not (kind == "plane" and version.element(number).tag == "body"):
                    kinds.addAction(kind, lambda tag=tag, attrs=attrs: operations.add(number, tag, attrs))
            continue
        rest.addAction(kind_icon(tag), tag, lambda tag=tag: operations.add(number, tag)).setToolTip(describe(known.path) if known is not None else "")


def fill_element_menu(menu: QMenu, operations: Operations, number: int, rename=None) -> QMenu:
    """The menu on an element that is selected."""
    version = operations.version
    if operations.broken:
        _say_broken(menu, operations)
        menu.addAction("Show in the text", lambda: operations.show_text(number))
        return menu
    element = version.element(number) if version.root is not None else None
    if element is None:
        return menu
    add = menu.addMenu("Add")
    fill_add_menu(add, operations, number)
    menu.addSeparator()
    if rename is not None:
        _action(menu, "Rename", "F2", rename)
    _action(menu, "Duplicate", "Ctrl+D", operations.duplicate)
    _action(menu, "Cut", "Ctrl+X", operations.cut)
    _action(menu, "Copy", "Ctrl+C", operations.copy)
    _action(menu, "Paste", "Ctrl+V", operations.paste)
    _action(menu, "Delete", "Del", operations.delete)
    menu.addSeparator()
    _action(menu, "Move up", "Alt+Up", lambda: operations.nudge(-1))
    _action(menu, "Move down", "Alt+Down", lambda: operations.nudge(1))
    if in_body_tree(version, number) and element.tag != "worldbody":
        wrap = menu.addMenu("Put into a new")
        for tag in ("frame", "body", "replicate"):
            wrap.addAction(kind_icon(tag), tag, lambda tag=tag: operations.wrap(tag))
        menu.addAction(kind_icon("replicate"), "Change the copies..." if element.tag == "replicate" else "Replicate...", operations.replicate)
        if element.tag in ("frame", "body"):
            menu.addAction(f"Take this {element.tag} away, keep what it holds", operations.unwrap)
        mirror = menu.addMenu("Mirror")
        for axis, plane in zip("xyz", ("yz", "xz", "xy"), strict=True):
            mirror.addAction(f"Copy across the {plane} plane of its parent", lambda axis=axis: operations.mirror(axis))
        alone = mirror.addMenu("Copy without actuators, sensors, contacts")
        for axis, plane in zip("xyz", ("yz", "xz", "xy"), strict=True):
            alone.addAction(f"Across the {plane} plane", lambda axis=axis: operations.mirror(axis, users=False))
        mirror.addSeparator()
        for axis, plane in zip("xyz", ("yz", "xz", "xy"), strict=True):
            mirror.addAction(f"In place, at the {plane} plane", lambda axis=axis: operations.mirror_in_place(axis))
    if element.tag == "replicate":
        menu.addAction("Write its copies out", operations.unroll)
    if element.tag == "composite":
        menu.addAction("Write what it makes out", operations.inline_composite)
    if element.tag == "mesh" or element.tag == "geom" and "mesh" in element.attrs:
        menu.addAction("Take apart into convex parts...", lambda: operations.decompose(number))
    if element.tag == "attach":
        menu.addAction("Write the attached part out", operations.inline_attach)
    menu.addSeparator()
    menu.addAction("Make a default class of what they have in common...", operations.make_class)
    menu.addAction("Put into a new file...", operations.make_include)
    menu.addAction("Show in the text", lambda: operations.show_text(number))
    return menu


def _say_broken(menu: QMenu, operations: Operations) -> None:
    """Why nothing can be done now, in lines, and an entry that goes to the place."""
    for line in operations.why_broken.split(". "):
        menu.addAction(line.replace("&", "&&")).setEnabled(False)
    if operations.fault is not None:
        menu.addAction("Show the fault", operations.show_fault)


def add_text_menu(menu: QMenu, operations: Operations, number: int, select) -> None:
    """The same as a menu within another one's, for an element that may not be selected: it is when the menu opens."""
    inner = menu.addMenu("In the text")
    inner.aboutToShow.connect(lambda: (select(), inner.clear(), fill_element_menu(inner, operations, number)))


def fill_include_menu(menu: QMenu, operations: Operations, tag: IncludeTag) -> QMenu:
    """The menu on an include."""
    menu.addAction("Put the file's text in its place", lambda: operations.inline_include(tag))
    menu.addAction("Delete the include", lambda: operations.remove_include(tag))
    menu.addAction("Show the file", lambda: operations.place_wanted.emit(Place(tag.included, 1, 1)))
    return menu


def _action(menu: QMenu, words: str, keys: str, do) -> None:
    action = menu.addAction(words, do)
    action.setShortcut(QKeySequence(keys))      # shown; the tree acts on them itself
    action.setShortcutVisibleInContextMenu(True)
