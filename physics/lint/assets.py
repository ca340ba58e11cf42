"""Rules about what is there for nothing: assets and default classes that nothing names, meshes that are there twice, default classes that say the same."""
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from physics.diagnostics.advice.finding import count, listed
from physics.lint.finding import NOTE, Finding
from physics.lint.fix import Fix, Remove, SetAttribute
from physics.lint.subject import Subject
from physics.model.model import Model
from physics.spec.element import Element
from physics.spec.names import declared_name

ASSETS = ("mesh", "hfield", "texture", "material")
MOVING = ("joint", "freejoint", "composite")
CONGRUENT = 1e-6        # of a mesh's size
MOST_VERTICES = 20_000  # of meshes that are compared by a rigid motion


def unused(s: Subject) -> Iterator[Finding]:
    """Assets and default classes that nothing names, or only what nothing names."""
    yield from _unused_assets(s)
    yield from _unused_classes(s)


def _users(s: Subject) -> dict[tuple[str, str], list[Element]]:
    """Who names what, by (namespace, name); layers of a material count as the material."""
    found: dict[tuple[str, str], list[Element]] = {}
    for element, _attribute, space, name in s.names.references():
        if element.tag == "layer":
            element = s.resolver.parent(element) or element
        found.setdefault((space, name), []).append(element)
    return found


def _unused_assets(s: Subject) -> Iterator[Finding]:
    users, dead = _users(s), {}
    assets = [e for e in s.expanded.root.section("asset") if e.tag in ASSETS and not (e.tag == "texture" and s.attrs(e)["type"] == "skybox")]
    for _ in range(2):      # a texture that only an unused material names is unused
        for element in assets:
            named_by = users.get((element.tag, declared_name(element, f"asset/{element.tag}")), [])
            if element.id not in dead and all(user.id in dead for user in named_by):
                dead[element.id] = named_by
    for element in assets:
        if element.id not in dead or s.written(element) is None or _in_library(s, element):
            continue
        name, by = declared_name(element, f"asset/{element.tag}"), dead[element.id]
        only = f" but {listed([_called(user) for user in by])}, which nothing names either" if by else ""
        text = f"Nothing names {element.tag} '{name}'{only}."
        gone = [s.written(e) for e in (element, *by)]
        label = f"Remove {element.tag} '{name}'" + (" and what names it" if by else "")
        fix = Fix(label, tuple(Remove(e.id) for e in gone), keeps=not element.origin.included_by) if None not in gone else None
        yield s.finding("unused", NOTE, element, text, "Remove it: it is read, compiled and kept in memory for nothing.", s.made_of(element), [fix])


def _in_library(s: Subject, element: Element) -> bool:
    """Whether an element stands in an included file in which nothing moves: assets, classes and scenery are made for several models."""
    return bool(element.origin.included_by) and element.origin.file not in s.once("moving", _with_joints)


def _with_joints(s: Subject) -> set[str]:
    return {element.origin.file for element in s.root.walk() if element.tag in MOVING}


def _called(element: Element) -> str:
    return f"{element.tag} '{element.name}'"


def _unused_classes(s: Subject) -> Iterator[Finding]:
    used = {name for _e, _a, space, name in s.names.references() if space == "default"}
    for element, spec, parent in s.names.entries:
        name = element.attrs.get("class", "")
        if spec.path != "default" or not name or name == "main" or parent is s.expanded.root or s.written(element) is None or _in_library(s, element):
            continue
        nested = _classes(element)
        if nested & used or (parent.attrs.get("class", "main") != "main" and not _classes(parent) & used):     # what it stands in is told
            continue
        text = f"No element has the default class '{name}'" + (f", nor any of the {len(nested) - 1} in it." if len(nested) > 1 else ".")
        fix = Fix(f"Remove class '{name}'", (Remove(s.written(element).id),), keeps=not element.origin.included_by)
        yield s.finding("unused", NOTE, element, text, "Remove it, or name it where it was meant to count (class, childclass).", (), [fix])


def _classes(default: Element) -> set[str]:
    """Names of a default class and all in it."""
    return {e.attrs.get("class", "") for e in default.walk() if e.tag == "default"}


# ------------------------------------------------------------------ twins

def twin_meshes(s: Subject) -> Iterator[Finding]:
    """Meshes with the same triangles: byte for byte, or moved."""
    m = s.m
    by_size: dict[tuple[int, int], list[int]] = {}
    for i in range(m.nmesh):
        by_size.setdefault((int(m.mesh_vertnum[i]), int(m.mesh_facenum[i])), []).append(i)
    for same in by_size.values():
        firsts: list[int] = []
        for i in same:
            s.go_on()
            twin = next((k for k in firsts if _faces(m, i).shape == _faces(m, k).shape and (_faces(m, i) == _faces(m, k)).all() and _congruent(m, i, k)), None)
            if twin is None:
                firsts.append(i)
            elif (found := _twins(s, i, twin)) is not None:
                yield found


def _vertices(m: Model, i: int) -> np.ndarray:
    return np.asarray(m.mesh_vert[m.mesh_vertadr[i]:m.mesh_vertadr[i] + m.mesh_vertnum[i]], float)


def _faces(m: Model, i: int) -> np.ndarray:
    return np.asarray(m.mesh_face[m.mesh_faceadr[i]:m.mesh_faceadr[i] + m.mesh_facenum[i]])


def _congruent(m: Model, i: int, k: int) -> bool:
    """Whether a rotation about the centres makes one of the other, vertex by vertex. Source: Kabsch, "A solution for the best rotation to relate two sets of vectors" (1976)."""
    one, two = _vertices(m, i), _vertices(m, k)
    size = float(np.ptp(one, axis=0).max())
    if np.abs(one - two).max() <= CONGRUENT * size:
        return True
    if len(one) > MOST_VERTICES:
        return False
    one, two = one - one.mean(axis=0), two - two.mean(axis=0)
    u, _sizes, vt = np.linalg.svd(one.T @ two)
    u[:, -1] *= np.sign(np.linalg.det(u @ vt))
    return bool(np.abs(one @ (u @ vt) - two).max() <= CONGRUENT * size)


def _identical(m: Model, i: int, k: int) -> bool:
    """Whether geoms and pictures can take one in place of the other."""
    return bool(np.array_equal(_vertices(m, i), _vertices(m, k)) and np.array_equal(m.mesh_pos[i], m.mesh_pos[k]) and np.array_equal(m.mesh_quat[i], m.mesh_quat[k])
                and m.mesh_texcoordnum[i] == m.mesh_texcoordnum[k] and m.mesh_normalnum[i] == m.mesh_normalnum[k])


def _twins(s: Subject, i: int, first: int) -> Finding | None:
    element, other = s.of("mesh", i), s.of("mesh", first)
    if element is None or other is None or element is other:
        return None
    name, known = s.m.names["mesh"][i], s.m.names["mesh"][first]
    same = _identical(s.m, i, first)
    vertices = count(int(s.m.mesh_vertnum[i]), "vertex")
    text = f"Mesh '{name}' is the same as mesh '{known}' ({vertices})." if same else f"Mesh '{name}' is mesh '{known}' ({vertices}) moved and turned."
    remedy = f"Let its geoms name '{known}': one mesh is half the memory, and half the time to load."
    if not same:
        remedy = f"One mesh, with another pos and quat of the geoms, would do for both; '{known}' is the first."
    fix = _instead(s, element, name, known) if same else None
    return s.finding("twin_meshes", NOTE, element, text, remedy, s.items("mesh", i, first), [fix], weight=float(s.m.mesh_vertnum[i]))


def _instead(s: Subject, element: Element, name: str, known: str) -> Fix | None:
    there = s.written(element)
    users = s.names.users_of("mesh", name)
    mine = [(s.written(e), attribute) for e, attribute in users]
    if there is None or any(e is None for e, _a in mine):
        return None
    changes = dict.fromkeys(SetAttribute(e.id, attribute, known) for e, attribute in mine)
    return Fix(f"Use '{known}' in its place", (*changes, Remove(there.id)), keeps=True)


def twin_classes(s: Subject) -> Iterator[Finding]:
    """Default classes beside each other that say the same."""
    by_words: dict[tuple, Element] = {}
    for element, spec, parent in s.names.entries:
        if spec.path != "default" or parent is None or parent is s.expanded.root or s.written(element) is None:
            continue
        if not element.children or any(child.tag == "default" for child in element.children):
            continue
        words = parent.id, tuple(_words(child) for child in element.children)
        first = by_words.setdefault(words, element)
        if first is element:
            continue
        name, known = element.attrs.get("class", ""), first.attrs.get("class", "")
        users = [(s.written(e), attribute) for e, attribute in s.names.users_of("default", name)]
        fix = None
        if not any(e is None for e, _a in users):
            changes = dict.fromkeys(SetAttribute(e.id, attribute, known) for e, attribute in users)
            fix = Fix(f"Use class '{known}' in its place", (*changes, Remove(s.written(element).id)), keeps=True)
        yield s.finding("twin_classes", NOTE, element, f"Default class '{name}' says the same as '{known}'.",
                        "One class is enough, unless the two are to be set apart later.", (), [fix])


def _words(element: Element) -> tuple:
    return element.tag, tuple(sorted(element.attrs.items())), tuple(_words(child) for child in element.children)
