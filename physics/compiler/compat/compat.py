"""Reading a model as MuJoCo 2.3 meant it: load(..., compat='2.3'), --compat 2.3, or <custom><text name="linkwork_compat" data="2.3"/>;
and computing what 4.0 computes where ours is known to be truer: 'official' in the same places.

The target is 4.0 and stays so; 2.3 changes what an unchanged file means, where that is more than a word (words are turned into
today's for every dialect, mjcf/legacy.py):

- autolimits is off unless the file says otherwise. A range whose `limited` is not given then counts for nothing, with a warning
  (before 2.2.2 it was silently ignored, 2.2.2 to 2.3.7 refused the model; 3.0 turned the default);
- multiccd is off unless a flag turns it on (on since 3.8);
- two geoms touch below the larger of their margins, and push below that less the larger of their gaps. Since 3.9 the engine
  adds: found below sum(margin) + sum(gap), pushing below sum(margin). The values compiled here are those for which the engine's
  sums give the old rule for every pair of geoms that can meet: exact where they exist (all geoms alike, or no two geoms with
  margins of different size meeting); explicit pairs are converted one by one. Where such values do not exist, or the overriding
  margin stands for one with a gap, the values stay and the model's flg_maxmargin lets the engine follow the old rule
  (engine/collide/filter.py). A model written as MJCF keeps this by <text name="linkwork_margins" data="2.3"/>.
- the mass of a mesh is its density times the volume of the box of equal inertia, unless exactmeshinertia is on (3.0 took the mesh's volume);
- a mesh whose geoms say shellinertia has its mass in its triangles, as inertia="shell" of the mesh says since 3.3. 2.3 also put such a geom out of
  place, between the mesh's own origin and its centre of mass: here it stays where the file puts it;
- side sites of tendons choose the way round by the half plane in which they are (engine/tendon/wrap.py), which the model's flg_halfplane says.
  A model written as MJCF, whose text is that of 4.0, keeps this by <text name="linkwork_sidesites" data="2.3"/>.

Official:

- boxes and meshes on a height field without a margin are not quite as deep in it (engine/collide/hfield.py, docs/contact.md), which the model's
  flg_hfieldvertex says. A model written as MJCF keeps this by <text name="linkwork_hfields" data="official"/>.

Not changed in 2.3: colliders, solvers and everything else in which 4.0 computes other numbers than 2.3 did.
Source: the changelog of MuJoCo 2.2 to 4.0, computation chapter, "Contact".
"""
from __future__ import annotations

import numpy as np

from physics.compiler.build import Build
from physics.compiler.derived.collision_pairs import CHUNK, candidate_pairs, collidable
from physics.enums import ENBL_OVERRIDE
from physics.errors import Issue, Place
from physics.mjcf.reader import ReadResult
from physics.model.model import Model

OFFICIAL = "official"
DIALECTS = ("4.0", "2.3", OFFICIAL)
MARK = "linkwork_compat"
SIDES = "linkwork_sidesites"
MARGINS = "linkwork_margins"
HFIELDS = "linkwork_hfields"
_ROUNDING = 1e-12


def dialect(read_result: ReadResult, compat: str) -> tuple[str, list[Issue]]:
    """The dialect to read as, and what is wrong with the choice. The file can ask for another than 4.0, and so can the caller."""
    issues = []
    if compat not in DIALECTS:
        issues.append(Issue("error", Place(read_result.main), "", f"there is no dialect '{compat}'", f"It is one of {', '.join(DIALECTS)}"))
        compat = DIALECTS[0]
    for element in read_result.root.section("custom"):
        if element.tag == "text" and element.name == MARK:
            asked = element.attrs.get("data", "")
            if asked not in DIALECTS:
                issues.append(Issue("error", element.attr_place("data"), f"mujoco/custom/text[{MARK}]", f"there is no dialect '{asked}'",
                                    f"It is one of {', '.join(DIALECTS)}"))
            elif asked != DIALECTS[0]:
                compat = asked
    return compat, issues


def is_old(build: Build) -> bool:
    """Whether the model is read as 2.3 did."""
    return build.source.expanded.compat == "2.3"


def has_old_sides(build: Build) -> bool:
    """Whether side sites of tendons choose as in 2.3."""
    return is_old(build) or _marked(build, SIDES)


def has_official_hfields(build: Build) -> bool:
    """Whether searches on height fields end where the official one does."""
    return build.source.expanded.compat == OFFICIAL or _marked(build, HFIELDS, OFFICIAL)


def _marked(build: Build, name: str, rule: str = "2.3") -> bool:
    """Whether the file asks for a rule of 2.3, or the official one, by a text of this name."""
    marks = (e for e in build.source.root.section("custom") if e.tag == "text" and e.name == name)
    return any(e.attrs.get("data") == rule for e in marks)


def convert_margins(build: Build, model: Model) -> None:
    """Margins and gaps for which the engine's sums give the rule of 2.3, or its flag where there are none."""
    if _marked(build, MARGINS) or (is_old(build) and not _converted(model)):
        model.flg_maxmargin = 1


def _converted(model: Model) -> bool:
    """Convert margins and gaps; -> False where they cannot be, and stay."""
    override = model.opt_enableflags & ENBL_OVERRIDE != 0
    if override and model.pair_gap.any():
        return False
    if (model.geom_margin.any() or model.geom_gap.any()) and not _converted_geoms(model, override):
        return False
    model.pair_margin[...] = model.pair_margin - model.pair_gap
    return True


def _converted_geoms(model: Model, override: bool) -> bool:
    """Convert those of geoms; -> False where they cannot be, and stay."""
    values, kind = np.unique(np.stack([model.geom_margin, model.geom_gap], 1), axis=0, return_inverse=True)
    meeting = _meeting_kinds(model, kind.ravel())
    if not len(meeting):
        return True
    gap = values[meeting, 1].max(1)
    push = values[meeting, 0].max(1) - gap
    if override:
        # o_margin stands for every pair's margin, so nothing but a gap of 0 can be kept
        wrong = gap != 0
        push_share = values[:, 0]
        gap_share = values[:, 1]
    else:
        push_share, wrong = _shares(meeting, push, len(values))
        gap_share, wrong_gap = _shares(meeting, gap, len(values))
        wrong |= wrong_gap
    if wrong.any():
        return False
    met = np.isin(kind.ravel(), meeting)
    model.geom_margin[met] = push_share[kind.ravel()][met]
    model.geom_gap[met] = gap_share[kind.ravel()][met]
    return True


def _meeting_kinds(model: Model, kind: np.ndarray) -> np.ndarray:
    """Pairs (n, 2) of kinds of geoms of which two can meet."""
    can, moving = collidable(model)
    found: set[tuple[int, int]] = set()
    for start in range(0, len(moving), CHUNK):
        g1, g2, _ = candidate_pairs(model, moving[start:start + CHUNK], can)
        found.update(map(tuple, np.unique(np.sort(np.stack([kind[g1], kind[g2]], 1), 1), axis=0).tolist()))
    return np.array(sorted(found), int).reshape(-1, 2)


def _shares(meeting: np.ndarray, total: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Shares (n,) whose sums are the totals of all pairs as nearly as can be, and which pairs they miss."""
    sums = np.zeros((len(meeting), n))
    np.add.at(sums, (np.arange(len(meeting)), meeting[:, 0]), 1.0)
    np.add.at(sums, (np.arange(len(meeting)), meeting[:, 1]), 1.0)
    share = np.linalg.lstsq(sums, total, rcond=None)[0]
    alike = np.unique(total)
    if len(alike) == 1:
        share = np.full(n, 0.5 * alike[0])   # without rounding
    return share, np.abs(share[meeting].sum(1) - total) > _ROUNDING * max(1.0, float(np.abs(total).max()))
