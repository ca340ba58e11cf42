"""What is drawn: the official visualization and rendering switches with their defaults and keys, our own, groups, labels, frames.

The tables feed the menus, the panel and the key bindings; VisOptions holds the window's present choice.
Source: MuJoCo 4.0.0, mjvOption, mjtVisFlag, mjtRndFlag, mjtLabel, mjtFrame; keys of simulate.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from app.bridge.quantities.track import Track
from render.scene.camera import CameraState
from render.scene.snapshot import COLOUR

NGROUP = 6


class Flag(NamedTuple):
    """One switch: official name, default, key in simulate ('' none), what it shows."""

    name: str
    default: bool
    key: str
    doc: str


VIS_FLAGS = (
    Flag("Convex Hull", False, "H", "the convex hull in place of a mesh"),
    Flag("Texture", True, "X", "textures"),
    Flag("Joint", False, "J", "joints: arrows along axes, boxes and balls for free and ball joints"),
    Flag("Camera", False, "Q", "cameras and their frusta"),
    Flag("Actuator", False, "U", "actuators, coloured by their control"),
    Flag("Activation", False, ",", "actuators coloured by activation in place of control"),
    Flag("Light", False, "Z", "lights"),
    Flag("Tendon", True, "V", "tendons"),
    Flag("Range Finder", True, "Y", "rays of rangefinder sensors, shortest distances between geoms"),
    Flag("Equality", False, "E", "anchors of connect and weld constraints"),
    Flag("Inertia", False, "I", "boxes or ellipsoids with the bodies' mass and inertia"),
    Flag("Scale Inertia", False, "'", "inertia shapes as large as water of that mass would be"),
    Flag("Perturb Force", False, "B", "arrows for external forces on bodies"),
    Flag("Perturb Object", True, "O", "the mouse's spring, or the box being turned"),
    Flag("Contact Point", False, "C", "discs at contact points, what tactile sensors feel, moving surfaces"),
    Flag("Island", False, "N", "a colour for each constraint island, duller while it sleeps"),
    Flag("Contact Force", False, "F", "arrows for contact forces"),
    Flag("Contact Split", False, "P", "normal and friction force apart"),
    Flag("Transparent", False, "T", "moving geoms seen through"),
    Flag("Auto Connect", False, "A", "a skeleton through joints and centres of mass"),
    Flag("Center of Mass", False, "M", "centres of mass of mechanisms"),
    Flag("Select Point", False, "", "the selected point"),
    Flag("Static Body", True, "D", "geoms of the world and what is welded to it"),
    Flag("Skin", True, ";", "skins"),
    Flag("Flex Vert", False, "", "vertices of flexible bodies"),
    Flag("Flex Edge", True, "", "edges of flexible bodies"),
    Flag("Flex Face", False, "", "faces of flexible bodies"),
    Flag("Flex Skin", True, "", "skin of flexible bodies"),
    Flag("Body Tree", False, "`", "bounding volumes of bodies, as deep as Tree depth says"),
    Flag("Mesh Tree", False, "\\", "bounding volumes of meshes, as deep as Tree depth says"),
    Flag("SDF iters", False, "", "search steps of collisions with signed distance fields"),
)

RENDER_FLAGS = (
    Flag("Shadow", True, "S", "shadows"),
    Flag("Wireframe", False, "W", "edges only"),
    Flag("Reflection", True, "R", "the reflecting plane"),
    Flag("Additive", False, "L", "transparent things add up"),
    Flag("Skybox", True, "K", "the sky"),
    Flag("Fog", False, "G", "fog"),
    Flag("Haze", True, "/", "haze at the horizon"),
    Flag("Depth", False, "", "distance as grey"),
    Flag("Segment", False, "", "each object in a colour of its own"),
    Flag("Id Color", False, "", "each object in the colour of its number"),
    Flag("Cull Face", True, "", "no back faces"),
)

# beyond the official windows: what physics computes, each with a scale and unit in the picture's legend (bridge/quantities)
QUANTITY_FLAGS = (
    Flag("Contact Torque", False, "", "arcs for the torques at contact points: spin about the normal and rolling"),
    Flag("Friction Cone", False, "", "how far friction may go at each contact, with the force inside or on the cone"),
    Flag("Joint Torque", False, "", "arcs, and arrows on slides, for what actuators, springs with dampers and dry friction do at joints"),
    Flag("Joint Limit", False, "", "ranges of joints with their present value: an arc, a ruler or a cone"),
    Flag("Tendon Tension", False, "", "tendons coloured by the force along them"),
    Flag("Constraint Force", False, "", "forces and torques of equality constraints and of joint limits"),
    Flag("External Force", False, "", "what the user applies to bodies and joints, and what the mouse does"),
    Flag("Linear Velocity", False, "", "arrows at the centres of mass of bodies"),
    Flag("Angular Velocity", False, "", "arcs about the axes that bodies turn about"),
    Flag("Momentum", False, "", "linear and angular momenta of bodies; thick: of whole trees"),
    Flag("Gravity Compensation", False, "", "arrows for the weight that is taken off bodies"),
    Flag("Fluid Force", False, "", "forces and torques of the medium on bodies"),
    Flag("Body Trail", False, "", "the way of the selected body, else of the last body of each chain"),
    Flag("Site Trail", False, "", "the way of the visible sites"),
    Flag("Margin Shell", False, "", "geoms as thick as their margin makes them for contacts"),
)

# what these are drawn by; the scale of each suits the model and can be multiplied by the user
QUANTITY_SCALES = ("force", "torque", "contact torque", "speed", "turning speed", "momentum", "angular momentum", "tension", "medium force", "medium torque", "constraint force")

# official render flag -> field of render.scene.snapshot.RenderFlags
RENDER_FIELDS = ("shadow", "wireframe", "reflection", "additive", "skybox", "fog", "haze", "depth", "segment", "idcolor", "cull_face")

LABELS = ("None", "Body", "Joint", "Geom", "Site", "Camera", "Light", "Tendon", "Actuator", "Constraint", "Flex", "Skin", "Selection",
          "SelPoint", "Contact", "ContactForce", "Island")
FRAMES = ("None", "Body", "Geom", "Site", "Camera", "Light", "Contact", "World")
LOOKS = ("classic", "physical")    # as the official picture; physically based: light from the surroundings, gloss by roughness, a tone curve
GROUPS = ("geom", "site", "joint", "tendon", "actuator", "flex", "skin")

NOT_YET = ("Flex Vert", "Flex Edge", "Flex Face", "Flex Skin", "SDF iters")  # switches whose objects the engine does not have yet: they change nothing


def _flags(table) -> dict[str, bool]:
    return {flag.name: flag.default for flag in table}


def _groups() -> list[bool]:
    return [True] * 3 + [False] * (NGROUP - 3)


@dataclass(slots=True)
class VisOptions:
    """The present choice. flags, render: by official name; quantities: by name of QUANTITY_FLAGS. label, frame, look: a name of LABELS, FRAMES, LOOKS.

    selected: body shown as selected (0 none); selectpoint: its marked point in the body's frame; selected_skin: the skin it was clicked at (-1 none). camera: what the view looks
    through (labels and decor of the camera in use are left out). show: what the picture shows, one of render.scene.snapshot.SHOWN.
    factors: {scale: how many times as large as suits the model}; track: where bodies and sites have been;
    trail_body: the body whose trail is shown, 0: the last body of each chain. explained: whether the legend says what the colours of `show` mean.
    """

    flags: dict[str, bool] = field(default_factory=lambda: _flags(VIS_FLAGS))
    render: dict[str, bool] = field(default_factory=lambda: _flags(RENDER_FLAGS))
    geomgroup: list[bool] = field(default_factory=_groups)
    sitegroup: list[bool] = field(default_factory=_groups)
    jointgroup: list[bool] = field(default_factory=_groups)
    tendongroup: list[bool] = field(default_factory=_groups)
    actuatorgroup: list[bool] = field(default_factory=_groups)
    flexgroup: list[bool] = field(default_factory=_groups)
    skingroup: list[bool] = field(default_factory=_groups)
    label: str = "None"
    frame: str = "None"
    selected: int = 0
    selectpoint: tuple = (0.0, 0.0, 0.0)
    bvh_depth: int = 1
    flex_layer: int = 0
    camera: CameraState = CameraState()
    show: str = COLOUR
    look: str = LOOKS[0]
    quantities: dict[str, bool] = field(default_factory=lambda: _flags(QUANTITY_FLAGS))
    factors: dict[str, float] = field(default_factory=lambda: dict.fromkeys(QUANTITY_SCALES, 1.0))
    track: Track = field(default_factory=Track)
    trail_body: int = 0
    selected_skin: int = -1
    explained: bool = False

    def _table(self, name: str) -> dict[str, bool]:
        for table in (self.flags, self.render, self.quantities):
            if name in table:
                return table
        raise KeyError(f"no flag {name!r}")

    def __getitem__(self, name: str) -> bool:
        """A switch of any table by its name. Raises KeyError for an unknown one."""
        return self._table(name)[name]

    def __setitem__(self, name: str, on: bool) -> None:
        """Set a switch of any table. Raises KeyError for an unknown one."""
        self._table(name)[name] = bool(on)

    def toggle(self, name: str) -> bool:
        """Flip a switch; its new value."""
        self[name] = not self[name]
        return self[name]

    def group(self, kind: str) -> list[bool]:
        """The six switches of one of GROUPS."""
        return getattr(self, kind + "group")

    def cycle(self, what: str, by: int = 1) -> str:
        """Go to the next 'label' or 'frame' mode; its name."""
        names = LABELS if what == "label" else FRAMES
        value = names[(names.index(getattr(self, what)) + by) % len(names)]
        setattr(self, what, value)
        return value
