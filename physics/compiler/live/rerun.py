"""P2 and P3: the compiler's passes run again on the compiled tree with other attributes. Texts, macros, pictures and meshes are not read again; what cannot depend
on a parameter (lists of pairs, assets) is not made again."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from physics.compiler import compile as whole
from physics.compiler import settings, view_only
from physics.compiler.assets import hfields, skins
from physics.compiler.build import Build, ModelWords
from physics.compiler.compat.compat import convert_margins
from physics.compiler.derived import constants, finite_check, length_range, structure
from physics.compiler.field_rows import FieldRows
from physics.compiler.item_tables import ItemTables, References
from physics.compiler.live.basis import Basis
from physics.compiler.live.last_run import ASSETS, left_by, let_go, tree_changes
from physics.compiler.live.scratch import Scratch
from physics.compiler.mesh import bvh, meshes
from physics.compiler.problems import Problems
from physics.compiler.shared_readings import SharedReadings
from physics.compiler.source import Source
from physics.compiler.texture import materials
from physics.fields.layout import LAYOUTS
from physics.model.changes.field_changes import FieldChange, differences, writable
from physics.model.model import Model
from physics.spec.element import Element

# settings of the compiler and assets, of which no attribute is a parameter; the trees of their triangles lie behind those of bodies
_READ_ONCE = (settings.compiler, materials.gather_textures, meshes.gather, hfields.gather, skins.gather, meshes.fill, bvh.fill)
_LAYOUT = LAYOUTS["m"]
# what is left out of the Model that is only compared: assets, and what is made from masks and types
UNMADE = frozenset({"hfield_data", "ntexdata", "hull_start", "ncpair", "cpair_geom", "cpair_related", "nsapgeom", "sap_geom", "nsapproxy", "sap_proxy", "nclip", "nepa",
                    "made_contype", "made_conaffinity", "made_body_contype", "made_body_conaffinity", "npolygonmax", "nmeshdegmax", "nbvh", "nbvhstatic", "nbvhdynamic",
                    "body_bvhadr", "body_bvhnum", *(name for name in (*_LAYOUT.arrays, *_LAYOUT.scalars) if name.startswith(("bvh_", "nmesh", "mesh_", "nhfielddata", "hfield_")))})


def rerun(kept: Basis, new: Mapping[int, Element]) -> tuple[FieldChange, ...] | None:
    """What differs from the fields that are kept; None where something is wrong, or the structure follows. new: changed elements of the compiled tree, by id."""
    if kept.build.source.settings.discardvisual:    # which takes assets apart
        return None
    build = _build_of(kept, new)
    left = None
    try:
        kept.scratch = kept.scratch or Scratch(kept.image, UNMADE)
        model, made = _compiled(build, kept.scratch)
        if model is None or any((issue.severity, issue.what) not in kept.issues for issue in build.problems.issues if issue.severity in ("error", "view")):
            return None
        if any(names != tuple([item.name for item in build.items[kind]]) for kind, names in kept.names.items()):
            return None
        found = differences(kept.image, model) if made is None else kept.scratch.differences()
        if found is not None and made is not None:
            trees = bvh.body_trees(build)
            found = (*found, *tree_changes(kept, trees))
            left = left_by(kept, build, new, made, trees, found)
        return found if found is not None and writable(found) else None
    finally:
        kept.put_last(left)
        if left is None:
            let_go(build)


def replaced(root: Element, new: Mapping[int, Element], parent: Callable[[Element], Element | None]) -> Element:
    """The tree with other elements in place of some, by id; the same elements otherwise."""
    around: set[int] = set()
    for element in new.values():
        above = parent(element)
        while above is not None and above.id not in around:
            around.add(above.id)
            above = parent(above)
    return _replaced(root, new, around)


def _replaced(element: Element, new: Mapping[int, Element], around: set[int]) -> Element:
    now = new.get(element.id, element)
    if element.id not in around:
        return now
    return now.with_changes(children=tuple([_replaced(child, new, around) if child.id in around else new.get(child.id, child) for child in element.children]))


def _build_of(kept: Basis, new: Mapping[int, Element]) -> Build:
    """A fresh build of the tree with other elements in place of some, by id; with the assets of the kept one, and what that has read of all others."""
    root, resolver = replaced(kept.root, new, kept.resolver.parent), kept.resolver
    build = Build.__new__(Build)
    build.memory = None
    before: Source = kept.build.source
    source = build.source = copy(before)
    source.expanded = replace(before.expanded, root=root, issues=[])
    source.mass_only, source.scaled, source.partial = frozenset(), set(), False
    source.put(root, resolver.of_changed(root, new))
    build.problems = Problems(source)
    build.items = ItemTables()
    build.items.update({kind: list(kept.build.items[kind]) for kind in ASSETS})
    build.references = References(source, build.problems, build.items)
    build.shared = SharedReadings(build, source, build.problems, kept.build.shared if source.resolver.classes is resolver.classes else None)
    build.fields = FieldRows(source, build.items, build.problems)
    build.words, build.chains = ModelWords(), []
    return build


@whole.undisturbed
def _compiled(build: Build, scratch: Scratch) -> tuple[Model | None, constants.Constants | None]:
    """(the Model, what its constants were made of where it is the scratch's, else all of it was made), not to be run: only its numbers are compared."""
    for read in whole.READING:
        if read not in _READ_ONCE:
            read(build)
    if build.problems.fatal:
        return None, None
    if length_range.find_wanted(build, length_range.options(build)):    # found by simulation, which takes all of it
        meshes.fill(build)
        bvh.fill(build)
        return whole.assemble(build), None
    build.fields.sizes.update(nmesh=len(build.items["mesh"]), ntexdata=0, nhfielddata=0)
    build.fields.pieces.clear()
    build.fields.rows.pop("hfield_data", None)
    structure.build_structure(build)
    made = constants.set_constants(build, build.words.statistic)
    if build.problems.fatal:
        return None, None
    model = scratch.filled(build)
    finite_check.check_finite(build, model)
    convert_margins(build, model)
    view_only.sensors(build, model)
    return (None if build.problems.fatal else model), made
