"""P3 once more: where geoms alone are shaped or placed anew, motion after motion, only what follows from them is computed, on the build that the last run of the passes left.

    size, pose -> mass, bounds -> tree of boxes of its body, statistics                     always
               -> inertia of its body -> all constants of the initial pose                   where that has it from its geoms

Whatever else may follow is left to another run.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import numpy as np

from physics.compiler import compile as whole
from physics.compiler.build import Build
from physics.compiler.compat.compat import is_old
from physics.compiler.derived import constants, finite_check
from physics.compiler.elements import bodies, inertia, tendon_paths
from physics.compiler.items import BodyItem, GeomItem
from physics.compiler.live.basis import Basis
from physics.compiler.live.reread import beside, read_items
from physics.compiler.live.scratch import Scratch
from physics.compiler.mesh import bvh
from physics.model.changes.field_changes import FieldChange, differing_rows
from physics.rotation.quaternion import UNIT, ZERO3, frame_relation
from physics.spec.element import Element

MOST_ITEMS = 3_000      # more would be long looked through by a collector of garbage
FEW_ITEMS = 600         # constants of so few take no more than some milliseconds
ASSETS = ("texture", "mesh", "hfield", "skin")
TREE = ("child", "depth", "nodeid", "aabb")
# what a geom has from its size and pose, and in which field it is
_SHAPE = MappingProxyType({"size": "geom_size", "pos": "geom_pos", "quat": "geom_quat", "rbound": "geom_rbound", "aabb": "geom_aabb", "fluid": "geom_fluid", "rgba": "geom_rgba"})
_INNER = frozenset({"element", "mass", "inertia", "density", "shellinertia"})      # what more may be another: in no field
_IN_PLACE = ("jnt_stiffness", "dof_damping")        # rows in which constants change single numbers


class LastRun:
    """What a run of the passes left. new: the changed elements that it was of, by id; made: what its constants were made of; found: what it found.
    few: whether all that may follow takes some milliseconds. For one thread at a time; `close` when it is not needed any more."""

    def __init__(self, kept: Basis, build: Build, new: Mapping[int, Element], made: constants.Constants, trees: bvh.Trees, found: tuple[FieldChange, ...]):
        self.kept, self.build, self.new, self.made, self.trees, self.found = kept, build, new, made, trees, found
        self.few = sum(map(len, build.items.values())) <= FEW_ITEMS
        wrapped = {step.target.id for tendon in build.items["tendon"] for step in tendon.path if step.type in tendon_paths.WRAPS}
        scaled = {child.id for body in build.items["body"] for child, frame in body.parts if frame is not None and frame.scale is not None}
        self.geoms: dict[int, GeomItem] = {     # all that they have comes from their own attributes, those of their class and their frame
            item.element.id: item for item in build.items["geom"]
            if item.element is not None and not item.mesh_name and not item.hfield_name and item.id not in wrapped and item.element.id not in scaled}

    def close(self) -> None:
        """Let go of everything, piece by piece."""
        let_go(self.build)
        vars(self).clear()

    @whole.undisturbed
    def changes(self, new: Mapping[int, Element]) -> tuple[FieldChange, ...] | None:
        """What the Model with these changed elements has that the kept one has not; None where more has changed than shapes of geoms, or more follows: then this is of no use any more."""
        moved = self._moved(new)
        if moved is None or not moved:
            return None if moved is None else self.found
        build, told = self.build, len(self.build.problems.issues)
        shaped = self._shaped(moved)
        if shaped is None:
            return None
        around = sorted({geom.body.id: geom.body for geom in shaped}.values(), key=lambda body: body.id)
        heavier: list[BodyItem] = []
        for body in around:
            changed = self._settled(body)
            if changed is None:
                return None
            heavier += [body] if changed else []
        if heavier:
            inertia.check_moving(build)
        if len(build.problems.issues) > told:
            return None
        names = [*self._fill(shaped, heavier), *self._constants(shaped, heavier)]
        if len(build.problems.issues) > told:
            return None
        found = self._compared(names, around)
        self.new, self.found = new, found
        return found

    def _moved(self, new: Mapping[int, Element]) -> list[Element] | None:
        """The geoms that say something else than in the last run; None where others do."""
        moved = []
        for number in self.new.keys() | new.keys():
            was, now = (some[number] if number in some else self._as_kept(number) for some in (self.new, new))
            if was is now or was is not None and now is not None and was.attrs == now.attrs:
                continue
            if number not in self.geoms or now is None:
                return None
            moved.append(now)
        return moved

    def _as_kept(self, number: int) -> Element | None:
        known = self.kept.items.get(number)
        return known[1].element if known is not None else None

    def _shaped(self, elements: list[Element]) -> list[GeomItem] | None:
        """Geoms read again, in place of what they were; None where something is wrong, or they are others in more than shape and colour."""
        olds = [self.geoms[element.id] for element in elements]
        again = beside(self.build, self.build.source.resolver, "geom")
        try:
            if not read_items(again, "geom", olds, elements) or again.problems.issues or again.source.scaled or len(again.items["geom"]) != len(olds):
                return None
            for old, new in zip(olds, again.items["geom"]):
                new.id, new.name, new.body = old.id, old.name, old.body
                if not _differ_in_shape(old, new):
                    return None
            for old, new in zip(olds, again.items["geom"]):
                vars(old).update(vars(new))     # others refer to it
        finally:
            vars(again).clear()     # it refers to itself
        return olds

    def _settled(self, body: BodyItem) -> bool | None:
        """Infer a body's mass and inertia anew; whether they are others. None where more follows."""
        if bodies.align_free(self.build, body):
            return None
        if body.parent is None or not body.inferred:
            return False
        if body.explicit:
            return None
        before, simple = _inertial(body), bodies.simplicity(body)
        body.ipos, body.iquat, body.mass, body.inertia = None, UNIT, 0.0, ZERO3
        inertia.settle(self.build, body)
        if _inertial(body) == before:
            return False
        body.sameframe = frame_relation(body.ipos, body.iquat)
        return True if bodies.simplicity(body) == simple else None

    def _fill(self, shaped: list[GeomItem], heavier: list[BodyItem]) -> list[str]:
        """Fields of geoms, and of the frames of bodies; which ones."""
        model, rows = self._scratch.model, self.build.fields.rows
        ids = [geom.id for geom in shaped]
        for name, field in _SHAPE.items():
            getattr(model, field)[ids] = [getattr(geom, name) for geom in shaped]
        for body in heavier:
            rows["body_ipos"][body.id], rows["body_iquat"][body.id], rows["body_sameframe"][body.id] = body.ipos, body.iquat, body.sameframe
        for geom in {geom.id: geom for geom in (*shaped, *(geom for body in heavier for geom in body.geoms))}.values():
            rows["geom_sameframe"][geom.id] = frame_relation(geom.pos, geom.quat, geom.body)
        for site in [site for body in heavier for site in body.sites]:
            rows["site_sameframe"][site.id] = frame_relation(site.pos, site.quat, site.body)
        names = ["geom_sameframe", *(("body_ipos", "body_iquat", "body_sameframe", "site_sameframe") if heavier else ())]
        self.build.fields.copy_fields(model, names)
        return [*_SHAPE.values(), *names]

    def _constants(self, shaped: list[GeomItem], heavier: list[BodyItem]) -> list[str]:
        """What follows at the initial pose, in the scratch Model; the fields of it."""
        build, model = self.build, self._scratch.model
        rows, given = build.fields.rows, build.words.statistic
        before = dict(rows)
        if heavier:
            self.made = constants.set_inertial(build, given)
        else:
            for geom in shaped:
                self.made.pose.geom[geom.id] = self.made.pose.place(build, "geom", geom)
            constants.set_statistics(build, self.made, given)
        names = [name for name, values in rows.items() if before.get(name) is not values]
        names += [name for name in _IN_PLACE if heavier]
        build.fields.copy_fields(model, names)
        for name, value in build.fields.scalars.items():
            if name.startswith("stat_"):
                setattr(model, name, value)
        finite_check.check_finite(build, model)
        return names

    def _compared(self, names: Iterable[str], around: list[BodyItem]) -> tuple[FieldChange, ...] | None:
        """All that differs from what is kept, after these fields have changed, and the trees of these bodies."""
        some = bvh.body_trees(self.build, around)
        for body in around:
            here, there = (slice(*trees.starts[body.id:body.id + 2].tolist()) for trees in (self.trees, some))
            for part in TREE:
                getattr(self.trees, part)[here] = getattr(some, part)[there]
        found = self._scratch.differences_of(names)
        return None if found is None else (*found, *tree_changes(self.kept, self.trees))

    @property
    def _scratch(self) -> Scratch:
        return self.kept.scratch


def left_by(kept: Basis, build: Build, new: Mapping[int, Element], made: constants.Constants, trees: bvh.Trees, found: tuple[FieldChange, ...]) -> LastRun | None:
    """What a run leaves that is of use for the next; None where too much hangs together in the model."""
    source = build.source
    settings = (source.settings, *source.scopes.values())
    if sum(map(len, build.items.values())) > MOST_ITEMS or is_old(build) or source.mass_only or source.settings.settotalmass > 0:
        return None
    if any(one.fusestatic or one.discardvisual or one.coordinate == "global" for one in settings):
        return None
    return LastRun(kept, build, new, made, trees, found)


def let_go(build: Build) -> None:
    """Take a build apart, but for assets, which are the kept ones."""
    for kind in ASSETS:
        build.items[kind] = []
    whole.take_apart(build)


def tree_changes(kept: Basis, trees: bvh.Trees) -> list[FieldChange]:
    """What is another in the trees of bodies, which come first in the fields bvh_*: as many nodes as before, as no mask is."""
    found = []
    for part in TREE:
        name = f"bvh_{part}"
        new = np.ascontiguousarray(getattr(trees, part))
        old = kept.image[name][:len(new)]
        rows = differing_rows(old, new.astype(old.dtype))
        if len(rows):
            found.append(FieldChange(name, rows, new.astype(old.dtype)[rows]))
    return found


def _differ_in_shape(old: GeomItem, new: GeomItem) -> bool:
    """Whether nothing else is another; a negative zero is another number."""
    before, now = vars(old), vars(new)
    return before.keys() == now.keys() and all(name in _SHAPE or name in _INNER or value is before[name] or repr(value) == repr(before[name])
                                               for name, value in now.items())


def _inertial(body: BodyItem) -> str:
    """Equal where mass, inertia and their frame are, bit for bit."""
    return repr((body.mass, body.inertia, body.ipos, body.iquat))
