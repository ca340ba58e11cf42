"""Words of our own invention that names no longer use, with the field's standard terms: `python -m tests.architecture.layout` finds what is left.

A row: the retired words, the folders where they were used in that sense, the standard term. A word is matched against whole parts of a name in
snake case ('CamelCase' is 'camel_case'), a plural s allowed: 'polish' finds polish_flat, not 'polished'; '=near' finds the whole name 'near' only.
A word that is standard elsewhere (a block of a matrix, the corner of a window, rounding) is matched only in its folders and forms.
"""
from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.architecture.sources import Source, sources

STILL = Path(__file__).with_name("retired_still.txt")

FIELDS = "physics/fields"   # names of the fields of Model, Data and the kernels' buffers
CONVEX = "physics/engine/collide/convex"
SOLVE, SLEEP, INTEGRATOR, INERTIA = "physics/engine/solve", "physics/engine/sleep", "physics/engine/integrator", "physics/engine/inertia"
PHYSICS = "physics"


class Retired(NamedTuple):
    """words: separated by blanks; folders: path prefixes; standard: what to say instead."""

    words: str
    folders: tuple[str, ...]
    standard: str


class Found(NamedTuple):
    """A retired word in a name."""

    path: str
    name: str
    standard: str

    def __str__(self) -> str:
        return f"{self.path} {self.name} ({self.standard})"


RETIRED = (
    Retired("=share =shares segment_share triangle_share tetrahedron_share ccd_weight", (CONVEX, FIELDS), "barycentric coordinates"),
    Retired("drum block_point round_point cloud tip =block =round =point =segment", (CONVEX,), "cylinder, box, ellipsoid, small mesh, support point"),
    Retired("ccd_corner ccd_tip", (FIELDS,), "vertex, support point"),
    Retired("polish", (PHYSICS,), "Newton refinement of the contact normal"),
    Retired("settles settle_points", (CONVEX,), "Newton refinement of the contact normal"),
    Retired("=more more_points seeds =near =pair", (CONVEX,), "multicontact, hull start vertices, separating-axis cache, ccd"),
    Retired("unit", (SOLVE,), "constraint block"),
    Retired("mul_unit rows_of_unit add_unit_forces units", ("physics/engine/constraint",), "constraint block"),
    Retired("sol_unit sol_nunit island_unit island_nunit", (FIELDS,), "constraint block"),
    Retired("sol_edge sol_nedge sol_nedgetree collect_sets", (FIELDS, SOLVE), "hyperedge, island graph"),
    Retired("tree_rows panel row_plan hang", (SOLVE, FIELDS), "supernode, symbolic factorisation, elimination tree"),
    Retired("deep", (SOLVE, INERTIA, INTEGRATOR, "physics/engine/forward.py", FIELDS), "long chains, articulated-body algorithm"),
    Retired("metric backbone", ("physics/engine", FIELDS), "effective (implicit) mass matrix"),
    Retired("exact_diagonal", (PHYSICS,), "diagonal of the Delassus matrix"),
    Retired("dual_row half_solve", (SOLVE, FIELDS), "Delassus factor"),
    Retired("nap nnap put_by bring_back take_rest begin_rest rest_due rest_qpos rest_first rest_next rest_last",
            ("physics/engine", "physics/model", FIELDS), "asleep dof runs, compute sleep state"),
    Retired("=ask ask_control asks rejects reject told said", ("physics/engine", "physics/simulate", "physics/query", "physics/compiler", "app/bridge"),
            "call callback, filter, describe"),
    Retired("=hand =hold taken_point take_over", ("physics/runtime", "physics/engine/perturb.py", "app/viewport"), "perturbation, grab point"),
    Retired("=reaction =pull pull_step pull_until set_pull =rolling", ("physics/engine", "physics/compiler/derived"),
            "rne_post_constraint, rne, length-range simulation, point velocity, rollout"),
    Retired("probe_in probe_out probe_motion roll_ctrl roll_state roll_sensor", (FIELDS,), "point velocity, rollout"),
    Retired("exact nudge known", ("physics/derivatives",), "analytic derivatives, finite differences"),
    Retired("refusal =nearest =motion =positions", ("physics/simulate", "physics/query", "physics/name_hints.py"),
            "warnings, name suggestions, object velocity, configuration"),
    Retired("workpiece", (PHYSICS,), "kernel buffers"),
    Retired("workshop album wish ghost", ("physics/compiler",), "mesh cache, image cache, mesh options, mass-only elements"),
    Retired("pen", ("app/bridge",), "canvas"),
    Retired("jut enclosure", (PHYSICS, "app"), "signed containment distance"),
    Retired("footing surroundings grain reckon reckons reckoned", ("physics", "render", "app"), "ground-plane tiles, environment lighting, texel density, compute"),
    Retired("paint", ("render",), "PBR material conversion"),
    Retired("studio reel =sink =_sink =catch moment", ("app/film", "app/headless", "app/controllers", "app/bridge", "physics/runtime"),
            "offscreen renderer, recording, writer, capture, frame state"),
)
# the standard senses of matched words, by (path, name): these stay
STANDARD = frozenset({
    ("physics/derivatives/finite_difference.py", "exact"),   # an argument of the public transition_fd
    ("physics/engine/collide/convex/gjk.py", "NEAR"),       # a tolerance
})


@cache
def _pattern(words: str) -> re.Pattern:
    return re.compile("|".join(f"^{w[1:]}$" if w.startswith("=") else f"(?:^|_){w}s?(?:$|_)" for w in words.split()))


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def names(source: Source) -> Iterator[str]:
    """Names of the module, its functions, classes, constants, fields and parameters; rows of the field tables."""
    yield source.module.rpartition(".")[2]
    for node in source.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        if isinstance(node, ast.arg):
            yield node.arg
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        if isinstance(node, ast.Module | ast.ClassDef):
            targets = [t for n in node.body for t in (n.targets if isinstance(n, ast.Assign) else [n.target] if isinstance(n, ast.AnnAssign) else [])]
            yield from (n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and source.path.startswith(FIELDS) and node.value.isidentifier():
            yield node.value


def still() -> frozenset[tuple[str, str]]:
    """(path, name) of retired_still.txt: what waits to be renamed; the list only shrinks."""
    lines = (line.split() for line in STILL.read_text().splitlines() if line and not line.startswith("#"))
    return frozenset((path, name) for path, name in lines)


def retired_names() -> list[Found]:
    """Every name of the product that still says a retired word, once a file, in order."""
    found = set()
    for source in sources():
        rows = [(_pattern(r.words), r.standard) for r in RETIRED if source.path.startswith(r.folders)]
        for name in names(source) if rows else ():
            for pattern, standard in rows:
                if pattern.search(snake(name)) and (source.path, name) not in STANDARD:
                    found.add(Found(source.path, name, standard))
    return sorted(found)
