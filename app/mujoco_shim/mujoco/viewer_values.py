"""The official structs of a viewer beside the values of Linkwork's window: what a script has changed since the last look goes over, and what the user has changed comes back."""
from __future__ import annotations

import numpy as np

from .own_packages import in_front

with in_front():
    from linkwork import Figure

GROUPS = ("geomgroup", "sitegroup", "jointgroup", "tendongroup", "actuatorgroup", "flexgroup", "skingroup")
CAPSULES = (3, 5)      # geom types whose size is radius, radius, half length in the official scene, and radius, half length in ours


class Cam:
    """MjvCamera and the window's camera."""

    NAMES = ("type", "fixedcamid", "trackbodyid", "distance", "azimuth", "elevation")

    def __init__(self, struct, cam):
        self.struct, self._cam, self._known = struct, cam, None
        self.pull()

    def _of(self, one) -> tuple:
        return *(getattr(one, name) for name in self.NAMES), *one.lookat.tolist()

    def push(self) -> None:
        """To the window, where the script has changed something."""
        now = self._of(self.struct)
        if now != self._known:
            self._known = now
            for name in self.NAMES:
                setattr(self._cam, name, getattr(self.struct, name))
            self._cam.lookat = self.struct.lookat

    def pull(self) -> None:
        """From the window."""
        now = self._of(self._cam)
        if now != self._known:
            for name, value in zip(self.NAMES, now):
                setattr(self.struct, name, int(value) if name in self.NAMES[:3] else float(value))
            self.struct.lookat[:] = self._cam.lookat
            self._known = self._of(self.struct)


class Opt:
    """MjvOption and what the window draws."""

    NUMBERS = ("label", "frame", "bvh_depth", "flex_layer")

    def __init__(self, struct, opt):
        self.struct, self._opt, self._pushed, self._seen = struct, opt, None, None
        self.pull()

    def _now(self) -> tuple:
        struct = self.struct
        return *(getattr(struct, name) for name in self.NUMBERS), struct.flags.tobytes(), *(getattr(struct, name).tobytes() for name in GROUPS)

    def push(self) -> None:
        """To the window, where the script has changed something. Raises ValueError for a label or frame that there is not."""
        now = self._now()
        if now == self._pushed:
            return
        self._pushed, opt, struct = now, self._opt, self.struct
        for name in self.NUMBERS:
            setattr(opt, name, getattr(struct, name))
        for i, on in enumerate(struct.flags[:len(opt.flags)].tolist()):
            opt.flags[i] = on
        for name in GROUPS:
            setattr(opt, name, getattr(struct, name).tolist())

    def pull(self) -> None:
        """From the window."""
        if self._opt.same_as(self._seen):
            return
        opt, struct = self._opt, self.struct
        for name in self.NUMBERS:
            setattr(struct, name, int(getattr(opt, name)))
        struct.flags[:len(opt.flags)] = list(opt.flags)[:len(struct.flags)]
        for name in GROUPS:
            getattr(struct, name)[:] = getattr(opt, name)
        self._seen, self._pushed = opt.copy(), self._now()


class RenderFlags:
    """The flags of user_scn, which switch effects of the window's pictures."""

    def __init__(self, scene, opt):
        self._scene, self._opt, self._pushed, self._seen = scene, opt, None, None
        self.pull()

    def push(self) -> None:
        """To the window, where the script has changed something."""
        now = self._scene.flags.tobytes()
        if now != self._pushed:
            self._pushed = now
            for i, on in enumerate(self._scene.flags[:len(self._opt.render)].tolist()):
                self._opt.render[i] = on

    def pull(self) -> None:
        """From the window."""
        now = list(self._opt.render)
        if now != self._seen:
            self._seen = now
            self._scene.flags[:len(now)] = now[:len(self._scene.flags)]
            self._pushed = self._scene.flags.tobytes()


class Geoms:
    """The geoms of user_scn, drawn by the window as ours."""

    FIELDS = ("type", "dataid", "size", "pos", "mat", "rgba")

    def __init__(self, scene, ours):
        self._scene, self._ours = scene, ours

    def push(self) -> None:
        """Those of the script as they are now."""
        scene, ours = self._scene, self._ours
        n = min(int(scene.ngeom), ours.maxgeom)
        ours.ngeom = n
        if not n:
            ours.labels.clear()
            return
        found = self._rows(n)
        for name in self.FIELDS:
            rows = getattr(ours, name)
            rows[:n] = np.asarray(found[name]).reshape(n, *rows.shape[1:])
        long = np.isin(ours.type[:n], CAPSULES)
        ours.size[:n][long, 1] = ours.size[:n][long, 2]
        ours.labels.clear()
        ours.labels.update((i, _text(label)) for i, label in enumerate(found["label"]) if label)

    def _rows(self, n: int) -> dict:
        """Each field of the first n geoms, one below the other: as they lie where the scene keeps them in arrays."""
        geoms, names = self._scene.geoms, (*self.FIELDS, "label")
        rows = getattr(geoms, "rows", None)
        if rows is not None:
            return {name: getattr(rows, name)[:n] for name in names}
        first = [geoms[i] for i in range(n)]
        return {name: [getattr(geom, name) for geom in first] for name in names}


def _text(text) -> str:
    return text.decode(errors="replace").rstrip("\0") if isinstance(text, bytes) else str(text)


def put_perturb(ours, pert) -> None:
    """What the window's mouse does, into an MjvPerturb."""
    pert.select = int(ours.select)
    active = int(ours.active)
    if active or pert.active:
        pert.active = active
        pert.localpos[:], pert.refpos[:], pert.refquat[:], pert.refselpos[:] = ours.localpos, ours.refpos, ours.refquat, ours.refselpos


def chart(figure) -> Figure:
    """An MjvFigure as a chart of the window."""
    x_range, y_range = (tuple(float(end) for end in row) if row[0] < row[1] else None for row in figure.range)
    grid = tuple(max(1, int(n) - 1) for n in figure.gridsize)      # officially the number of lines
    drawn = Figure(_text(figure.title), _text(figure.xlabel), x_range, y_range, bool(figure.flg_extend), bool(figure.flg_barplot), bool(figure.flg_legend), grid,
                   _text(figure.xformat), _text(figure.yformat), float(figure.linewidth) / 1.5,
                   *(tuple(np.asarray(part, float).tolist()) for part in (figure.figurergba, figure.panergba, figure.textrgb, figure.gridrgb)))
    for i in np.flatnonzero(figure.linepnt).tolist():
        points = np.array(figure.linedata[i, :2 * int(figure.linepnt[i])], float).reshape(-1, 2)
        drawn.line(_text(figure.linename[i]), *points.T, np.asarray(figure.linergb[i], float).tolist())
    return drawn
