"""Cameras and lights."""
from __future__ import annotations

import math
from types import MappingProxyType

import numpy as np

from physics.compiler.build import Build
from physics.compiler.elements.pose import orientation, position
from physics.compiler.items import BodyItem, CameraItem, Item
from physics.compiler.source import numbers
from physics.enums import CameraOutput, CamLightMode, LightType, Projection
from physics.rotation.quaternion import unit
from physics.spec.element import Element

_LIGHT_NUMBERS = ("bulbradius", "intensity", "range", "cutoff", "softness", "exponent")
_LIGHT_LISTS = ("attenuation", "ambient", "diffuse", "specular")


def add_camera(build: Build, body: BodyItem, element: Element) -> None:
    """Make the item of a camera."""
    a = build.source.attrs(element)
    output = a["output"]
    words = (output,) if isinstance(output, str) else tuple(output or ("rgb",))
    camera = build.items.add(
        "camera", element, body=body, mode=_mode(a["mode"]), target=a["target"] or "", pos=position(build, a),
        quat=orientation(build, a), projection=int(Projection[a["projection"].upper()]), fovy=a["fovy"], ipd=a["ipd"],
        resolution=numbers(a["resolution"]) or (1, 1), sensorsize=numbers(a["sensorsize"]) or (0.0, 0.0), user=numbers(a["user"]),
        output=sum({int(CameraOutput[_OUTPUT.get(w, w).upper()]) for w in words}),
    )
    if not camera.fovy < 180:
        build.problems.error(element, "fovy must be below 180 degrees", attr="fovy")
    _intrinsics(build, a, camera)
    body.cameras.append(camera)


_OUTPUT = MappingProxyType({"distance": "dist", "segmentation": "seg", "normals": "normal"})


def _mode(word: str) -> int:
    return int(CamLightMode[word.upper()])


def _intrinsics(build: Build, a, camera: CameraItem) -> None:
    """Focal lengths and principal point in length units, in single precision as the official model keeps them."""
    given = {n: np.float32(numbers(a[n]) or (0.0, 0.0)) for n in ("focal", "focalpixel", "principal", "principalpixel")}
    sensor = np.float32(camera.sensorsize)
    has_sensor = bool((sensor > 0).all())
    if any(v.any() for v in given.values()) and not has_sensor:
        build.problems.error(camera.element, "focal and principal need a sensorsize")
    if has_sensor and min(camera.resolution) <= 0:
        build.problems.error(camera.element, "sensorsize needs a positive resolution", attr="resolution")
        return
    znear = np.float32(build.words.vis.map.znear)
    if not has_sensor:
        camera.intrinsic = (znear, znear, 0.0, 0.0)
        return
    density = np.float32(camera.resolution) / sensor
    focal = np.where(given["focalpixel"] != 0, given["focalpixel"] / density, given["focal"])
    centre = np.where(given["principalpixel"] != 0, given["principalpixel"] / density, given["principal"])
    camera.intrinsic = (*focal.tolist(), *centre.tolist())
    # single precision as in the official compiler: the quotient is rounded, then its arc tangent
    ratio = np.float32(sensor[1] / np.float32(2) / focal[1]) if focal[1] else np.float32(np.inf)
    camera.fovy = float(np.float32(math.atan(ratio))) * 360.0 / math.pi


def add_light(build: Build, body: BodyItem, element: Element) -> None:
    """Make the item of a light."""
    a = build.source.attrs(element)
    direction, length = unit(numbers(a["dir"]))
    if not (length > 1e-14 and math.isfinite(length)):
        build.problems.error(element, "the light's direction is zero", attr="dir")
        direction = (0.0, 0.0, -1.0)
    kind = int(LightType[a["type"].upper()])
    if a.given("directional") and not a.given("type"):
        kind = int(LightType.DIRECTIONAL if a["directional"] else LightType.SPOT)
    light = build.items.add("light", element, body=body, mode=_mode(a["mode"]), target=a["target"] or "", type=kind,
                      texture=a["texture"] or "", castshadow=bool(a["castshadow"]), active=bool(a["active"]),
                      pos=position(build, a), dir=direction)
    for name in _LIGHT_NUMBERS:
        setattr(light, name, a[name])
    for name in _LIGHT_LISTS:
        setattr(light, name, numbers(a[name]))
    if not 0 <= light.softness <= 1:
        build.problems.error(element, "softness must be between 0 and 1", attr="softness")
    body.lights.append(light)


def fill(build: Build) -> None:
    """Fields cam_* and light_*, but those of the initial pose."""
    out = build.fields.rows
    build.fields.column("camera", cam_mode="mode", cam_pos="pos", cam_quat="quat", cam_projection="projection", cam_fovy="fovy",
                 cam_ipd="ipd", cam_resolution="resolution", cam_output="output", cam_sensorsize="sensorsize", cam_intrinsic="intrinsic")
    build.fields.user("camera", "nuser_cam", "cam_user")
    build.fields.column("light", light_mode="mode", light_type="type", light_castshadow="castshadow", light_active="active",
                 light_pos="pos", light_dir="dir", **{f"light_{n}": n for n in (*_LIGHT_NUMBERS, *_LIGHT_LISTS)})
    out["light_texid"] = [build.references.named("texture", item, "texture") if item.texture else -1 for item in build.items["light"]]
    for kind, prefix in (("camera", "cam"), ("light", "light")):
        items = build.items[kind]
        out[prefix + "_bodyid"] = [item.body.id for item in items]
        out[prefix + "_targetbodyid"] = [_target(build, item) for item in items]


def _target(build: Build, item: Item) -> int:
    if item.mode in (CamLightMode.TARGETBODY, CamLightMode.TARGETBODYCOM) and not item.target:
        build.problems.warn(item.element, "a targeting mode without a target: the pose stays as given", 'Add target="body name"', "mode")
    return build.items.id("body", item.target) if item.target else -1
