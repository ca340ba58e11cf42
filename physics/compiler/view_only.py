"""Why a model can be drawn but not simulated: what its dynamics would need is not there yet."""
from __future__ import annotations

import numpy as np

from physics.compiler.build import Build
from physics.engine.sensor.containment_distance import unknown_shapes
from physics.enums import GEOM_MESH, SENS_TOUCH, GeomType
from physics.errors import Issue
from physics.model.model import Model


def sensors(build: Build, model: Model) -> None:
    """Note the sensors whose values cannot be computed yet."""
    for i, site, kind in unknown_shapes(model):
        one, two = ("mesh site" if k < 0 else GeomType(k).name.lower() for k in (kind, site))
        build.problems.view(build.items["sensor"][i].element, f"the containment distance of {_a(one)} in {_a(two)} is not there yet", "enclosed")
    touches = model.sensor_type == SENS_TOUCH
    for i in np.flatnonzero(touches & (model.site_type[np.where(touches, model.sensor_objid, 0)] == GEOM_MESH)) if touches.any() else ():
        build.problems.view(build.items["sensor"][i].element, "a touch sensor cannot feel with a mesh site, which the official engine refuses when it is touched")


def _a(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def collect(build: Build, model: Model) -> None:
    """Set model.view_only from the reader's issues and ours."""
    issues = [*build.source.read_result.issues, *build.problems.issues]
    model.view_only = tuple(_unique(i for i in issues if i.severity == "view"))


def _unique(issues) -> list[Issue]:
    seen: dict[tuple, Issue] = {}
    for issue in issues:
        seen.setdefault((issue.place, issue.what), issue)
    return list(seen.values())


