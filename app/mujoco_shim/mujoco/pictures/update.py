"""A Data becomes an MjvScene: geoms, lights and cameras with the official numbers, built by app/bridge."""
from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import numpy as np

from app.bridge.build import build_scene
from app.bridge.layers.cameras_lights import add_lights
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import FRAMES, GROUPS, LABELS, VIS_FLAGS, VisOptions
from app.bridge.view_state import Selection, ViewState
from physics.enums import TextureRole
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.rotation import turn_z
from render.scene.skins import SkinPoses
from render.scene.snapshot import Lights, Scene

from ..hooks import HOOKS
from ..scene_structs import MAXLIGHT, rows_of
from .cameras import USER, aimed_view, mean_camera, put_eyes

STATIC, DYNAMIC, DECOR = 1, 2, 4        # mjtCatBit
DIRECTIONAL, IMAGE, LABEL = 1, 3, 107
OURS = 100                              # object types from here on are none of mjtObj
POINTED = (shapes.ARROW, shapes.ARROW1)     # are drawn half as long as their size says
MARKS = (shapes.CYLINDER, shapes.SPHERE, shapes.ARROW)
LABEL_KINDS = MappingProxyType({"body": shapes.OBJ_BODY, "joint": shapes.OBJ_JOINT, "geom": shapes.OBJ_GEOM, "site": shapes.OBJ_SITE, "camera": shapes.OBJ_CAMERA,
                                "light": shapes.OBJ_LIGHT, "tendon": shapes.OBJ_TENDON, "actuator": shapes.OBJ_ACTUATOR, "skin": shapes.OBJ_SKIN})
MATERIAL = ("emission", "specular", "shininess", "reflectance", "texrepeat", "texuniform")


def visuals_for(m) -> ModelVisuals:
    """What an MjModel contributes to pictures, the same for all who draw it."""
    mine = m.__dict__
    if "_visuals" not in mine:
        mine["_visuals"] = ModelVisuals(m._inner)
    m._settled()
    return mine["_visuals"]


def options_of(opt) -> VisOptions:
    """An MjvOption as app/bridge has it."""
    options = VisOptions()
    for flag, on in zip(VIS_FLAGS, opt.flags.tolist()):
        options.flags[flag.name] = bool(on)
    for kind in GROUPS:
        getattr(options, f"{kind}group")[:] = [bool(on) for on in getattr(opt, f"{kind}group")]
    options.label = LABELS[opt.label] if 0 <= opt.label < len(LABELS) else LABELS[0]
    options.frame = FRAMES[opt.frame] if 0 <= opt.frame < len(FRAMES) else FRAMES[0]
    options.bvh_depth, options.flex_layer = opt.bvh_depth, opt.flex_layer
    return options


def _taken(m, d, scn, pert) -> tuple[Snapshot, ViewState]:
    """The state of a Data as it is, and what a script's mouse holds."""
    inner, seen = m._inner, scn.__dict__["_seen"]
    inner.check_written()
    if seen.get("model") is not inner:
        seen.update(model=inner, snapshot=Snapshot(inner, d._inner, 1), scene=Scene())
    snapshot = seen["snapshot"]
    snapshot.copy_from(d._inner)
    if pert is None or pert.select <= 0:
        return snapshot, ViewState()
    held = snapshot.perturb
    held.bodyid, held.active, held.localmass = pert.select, pert.active | pert.active2, pert.localmass
    held.localpos[:], held.refpos[:], held.refselpos[:], held.refquat[:] = pert.localpos, pert.refpos, pert.refselpos, pert.refquat
    return snapshot, ViewState(Selection(pert.select, localpos=tuple(pert.localpos.tolist()), skin=pert.skinselect))


def update_scene(m, d, opt, pert, cam, catmask: int, scn) -> None:
    """Everything of a picture anew: geoms of the categories in catmask, lights, cameras."""
    scn.ngeom, scn.status = 0, 0
    add_geoms(m, d, opt, pert, catmask, scn)
    make_lights(m, d, scn)
    update_camera(m, d, cam, scn)


def add_geoms(m, d, opt, pert, catmask: int, scn) -> None:
    """Append the geoms of a state. What is more than maxgeom is left away, with a warning and status 1."""
    visuals, options = visuals_for(m), options_of(opt)
    snapshot, state = _taken(m, d, scn, pert)
    scene = build_scene(visuals, snapshot, options, scn.__dict__["_seen"]["scene"], state)
    bones = SkinPoses()
    rows = bones.add(scene.skins.n)
    for name, _tail, _dtype, _fill in SkinPoses.COLUMNS:
        getattr(bones, name)[rows] = scene.skins.view(name)
    scn.__dict__["_bones"] = bones
    first = scn.ngeom
    _append(scn, _geom_columns(m._inner, scene, options), catmask)
    _append(scn, _line_columns(scene), catmask)
    _append(scn, _label_columns(scene, scn, first), catmask)


def _append(scn, columns: dict | None, catmask: int) -> None:
    if columns is None:
        return
    keep = np.flatnonzero(columns["category"] & catmask)
    rows, first = rows_of(scn), scn.ngeom
    count = min(len(keep), scn.maxgeom - first)
    if count < len(keep) and not scn.status:
        scn.status = 1
        HOOKS.warn(f"Pre-allocated visual geom buffer is full. Increase maxgeom above {scn.maxgeom}.")
    put = slice(first, first + count)
    for name, plain in PLAIN.items():
        getattr(rows, name)[put] = columns[name][keep[:count]] if name in columns else plain
    rows.segid[put] = np.arange(first, first + count)
    scn.ngeom = first + count


PLAIN = MappingProxyType({
    "type": 0, "dataid": -1, "objtype": 0, "objid": -1, "category": DECOR, "matid": -1, "texcoord": 0, "texid": -1, "texuniform": 0, "segid": 0, "transparent": 0, "castshadow": 1,
    "size": 0, "pos": 0, "mat": np.eye(3), "rgba": 1, "texrepeat": 0, "emission": 0, "specular": 0.5, "shininess": 0.5, "reflectance": 0, "label": b"", "camdist": 0, "modelrbound": 0,
})


def _geom_columns(m, scene: Scene, options: VisOptions) -> dict:
    """Instances as MjvGeoms: size of meshes and height fields is that of the geom, dataid twice the mesh's number, one more for its hull, of planes their rank."""
    g = scene.geoms
    shape, dataid, objtype, objid = (g.view(name).astype(np.int32) for name in ("shape", "dataid", "objtype", "objid"))
    mesh = np.isin(shape, (shapes.MESH, shapes.SDF))
    field, hull = mesh & (dataid >= m.nmesh) & (dataid < m.nmesh + m.nhfield), mesh & (dataid >= m.nmesh + m.nhfield)
    of_hull = np.flatnonzero(m.mesh_graphadr >= 0)
    number = np.where(mesh, 2 * dataid, np.where(shape == shapes.SKIN, dataid, -1))
    number[field] = dataid[field] - m.nmesh
    number[hull] = 2 * of_hull[dataid[hull] - m.nmesh - m.nhfield] + 1
    is_geom = objtype == shapes.OBJ_GEOM
    plane = is_geom & (shape == shapes.PLANE)
    number[plane] = (np.cumsum(m.geom_type == shapes.PLANE) - 1)[objid[plane]]
    size, pos = np.where(mesh[:, None], g.view("texsize"), g.view("size")), g.view("pos").copy()
    double = shape == shapes.ARROW2     # drawn about their place, as long to either side
    pos[double] += 0.5 * size[double, 2:] * g.view("mat")[double, 2::3]
    size[np.isin(shape, POINTED), 2] *= 2
    decor = g.view("flags") & shapes.DECOR != 0
    # frames, forces and centres of mass are of no type officially
    objtype[decor & (np.isin(objtype, (shapes.OBJ_GEOM, shapes.OBJ_SITE)) | (objtype == shapes.OBJ_BODY) & np.isin(shape, MARKS))] = shapes.OBJ_UNKNOWN
    matid = np.where(g.view("matid") < m.nmat, g.view("matid"), -1)
    if not options.flags["texture"]:
        textured = np.zeros(len(matid), bool)
    else:
        textured = matid >= 0
    texid = np.full(len(matid), -1)
    texid[textured] = m.mat_texid[matid[textured], TextureRole.RGB]
    coordinates = np.zeros(len(matid), np.int32)
    coordinates[mesh & ~field & ~hull] = m.mesh_texcoordadr[dataid[mesh & ~field & ~hull]] >= 0
    bound = np.zeros(len(matid))
    bound[is_geom] = m.geom_rbound[objid[is_geom]]
    out = {
        "type": np.where(field, shapes.HFIELD, shape), "dataid": number, "objtype": np.where(objtype > OURS, 0, objtype), "objid": objid,
        "category": np.where(decor, DECOR, np.where(g.view("flags") & shapes.STATIC != 0, STATIC, DYNAMIC)), "matid": np.where(textured, matid, -1), "texid": texid, "texcoord": coordinates,
        "size": size, "pos": pos, "mat": g.view("mat").reshape(-1, 3, 3), "rgba": g.view("rgba"), "modelrbound": bound,
        "castshadow": (decor | (g.view("flags") & shapes.CAST_SHADOW != 0)).astype(np.int32),
    }
    known = matid >= 0
    for name in MATERIAL:
        values = np.array(np.broadcast_to(PLAIN[name], (len(matid), *getattr(m, f"mat_{name}").shape[1:])), float)
        values[known] = getattr(m, f"mat_{name}")[matid[known]]
        out[name] = values
    out["emission"] = out["emission"] + g.view("glow")
    return out


def _line_columns(scene: Scene) -> dict | None:
    lines = scene.lines
    if not lines.n:
        return None
    way = (lines.view("end") - lines.view("start")).astype(float)
    objtype = lines.view("objtype")
    size = np.stack([lines.view("width"), lines.view("width"), np.linalg.norm(way, axis=1)], axis=1)
    return {"type": np.full(lines.n, shapes.LINE), "objtype": np.where(objtype > OURS, 0, objtype), "objid": lines.view("objid"), "category": np.full(lines.n, DECOR), "size": size,
            "pos": lines.view("start"), "mat": turn_z(way).reshape(-1, 3, 3), "rgba": lines.view("rgba")}


def _label_columns(scene: Scene, scn, first: int) -> dict | None:
    """Texts: on the geom of what they name where there is one, else as geoms of their own."""
    rows, alone = rows_of(scn), []
    drawn = slice(first, scn.ngeom)
    for pos, text, rgba, key in zip(scene.labels.pos, scene.labels.text, scene.labels.rgba, scene.labels.key):
        kind = LABEL_KINDS.get(key[0]) if isinstance(key, tuple) and len(key) == 2 else None
        if kind:
            mine = np.flatnonzero((rows.objtype[drawn] == kind) & (rows.objid[drawn] == key[1]))
        else:       # contacts are of no type: by number and place
            mine = np.flatnonzero((rows.objid[drawn] == key[1]) & (np.abs(rows.pos[drawn] - np.float32(pos)).max(axis=1) < 1e-6)) if isinstance(key, tuple) and key[0] == "contact" else ()
        if len(mine):
            rows.label[first + mine[0]] = text.encode()[:99]
        elif kind in (None, shapes.OBJ_BODY):      # what is not drawn, as catmask leaves it out, has no text either
            alone.append((pos, text.encode()[:99], rgba, key[1] if isinstance(key, tuple) and isinstance(key[1], int) else -1))
    if not alone:
        return None
    pos, text, rgba, objid = zip(*alone)
    n = len(alone)
    return {"type": np.full(n, LABEL), "objid": np.array(objid), "size": np.full((n, 3), 0.1), "category": np.full(n, DECOR), "pos": np.array(pos, float), "label": np.array(text), "rgba": np.array(rgba, float)}


def make_lights(m, d, scn) -> None:
    """The headlight, where it is on, and the active lights of the model."""
    visuals = visuals_for(m)
    snapshot, _state = _taken(m, d, scn, None)
    scene = Scene()
    add_lights(visuals, snapshot, scene)
    scn.nlight = 0
    if scene.headlight.active:
        eye = mean_camera(*scn.camera)
        _put_light(scn, id=-1, headlight=1, type=DIRECTIONAL, pos=eye.pos, dir=eye.forward, attenuation=0, cutoff=0.0, exponent=0.0, ambient=scene.headlight.ambient,
                   diffuse=scene.headlight.diffuse, specular=scene.headlight.specular, castshadow=0, bulbradius=0.02, range=10.0, intensity=0.0, softness=0.0, texid=-1)
    lights = scene.lights
    for i in range(min(lights.n, MAXLIGHT - 1)):
        row = {name: getattr(lights, name)[i] for name in ("type", "castshadow", "pos", "dir", "attenuation", "cutoff", "exponent", "ambient", "diffuse", "specular", "intensity", "range",
                                                           "bulbradius", "softness", "texid")}
        _put_light(scn, id=int(lights.objid[i]), headlight=0, **row)


def _put_light(scn, **values) -> None:
    light = scn.lights[scn.nlight]
    for name, value in values.items():
        kind = type(light.FIELDS[name])
        setattr(light, name, kind(value) if kind in (int, float) else value)
    scn.nlight += 1


def update_camera(m, d, cam, scn) -> None:
    """Both eyes of a scene where a camera is; one of type mjCAMERA_USER leaves them as they are. The headlight goes with them."""
    if cam.type == USER:
        return
    view = aimed_view(m._inner, d._inner, cam)
    put_eyes(m._inner, view, scn)
    for light in scn.lights[:scn.nlight]:
        if light.headlight:
            light.pos, light.dir = view.pos, view.forward


def lights_of(scn) -> tuple[Lights, dict | None]:
    """A scene's lights as the renderer has them, and the headlight's colours."""
    lights, head = Lights(), None
    for light in scn.lights[:scn.nlight]:
        if light.headlight:
            head = {name: tuple(getattr(light, name).tolist()) for name in ("ambient", "diffuse", "specular")}
            continue
        row = lights.add(1).start
        for name in ("type", "castshadow", "pos", "dir", "attenuation", "cutoff", "exponent", "ambient", "diffuse", "specular", "intensity", "range", "bulbradius", "softness", "texid"):
            getattr(lights, name)[row] = getattr(light, name)
        lights.objid[row] = light.id
    return lights, head


def replaced_head(scene: Scene, head: dict | None) -> None:
    """Give a Scene a headlight of these colours, or none."""
    scene.headlight = replace(scene.headlight, active=head is not None, auto=False, **(head or {}))
