"""What is drawn: the official visualization and rendering switches with their defaults and keys, our own, groups, labels, frames.

The tables feed the menus, the panel and the key bindings; VisOptions holds the window's present choice.
Source: MuJoCo 4.0.0, mjvOption, mjtVisFlag, mjtRndFlag, mjtLabel, mjtFrame; keys of simulate.
"""
from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from typing import NamedTuple

from render.scene.snapshot import COLOUR

NGROUP = 6


class Flag(NamedTuple):
    """One switch: identifier, what the window calls it (the official name where there is one), default, key in simulate ('' none), what it shows."""

    name: str
    title: str
    default: bool
    key: str
    doc: str


VIS_FLAGS = (
    Flag("convex_hull", "Convex Hull", False, "H", "the convex hull in place of a mesh"),
    Flag("texture", "Texture", True, "X", "textures"),
    Flag("joint", "Joint", False, "J", "joints: arrows along axes, boxes and balls for free and ball joints"),
    Flag("camera", "Camera", False, "Q", "cameras and their frusta"),
    Flag("actuator", "Actuator", False, "U", "actuators, coloured by their control"),
    Flag("activation", "Activation", False, ",", "actuators coloured by activation in place of control"),
    Flag("light", "Light", False, "Z", "lights"),
    Flag("tendon", "Tendon", True, "V", "tendons"),
    Flag("range_finder", "Range Finder", True, "Y", "rays of rangefinder sensors, shortest distances between geoms"),
    Flag("equality", "Equality", False, "E", "anchors of connect and weld constraints"),
    Flag("inertia", "Inertia", False, "I", "boxes or ellipsoids with the bodies' mass and inertia"),
    Flag("scale_inertia", "Scale Inertia", False, "'", "inertia shapes as large as water of that mass would be"),
    Flag("perturb_force", "Perturb Force", False, "B", "arrows for external forces on bodies"),
    Flag("perturb_object", "Perturb Object", True, "O", "the mouse's spring, or the box being turned"),
    Flag("contact_point", "Contact Point", False, "C", "discs at contact points, what tactile sensors feel, moving surfaces"),
    Flag("island", "Island", False, "N", "a colour for each constraint island, duller while it sleeps"),
    Flag("contact_force", "Contact Force", False, "F", "arrows for contact forces"),
    Flag("contact_split", "Contact Split", False, "P", "normal and friction force apart"),
    Flag("transparent", "Transparent", False, "T", "moving geoms seen through"),
    Flag("auto_connect", "Auto Connect", False, "A", "a skeleton through joints and centres of mass"),
    Flag("center_of_mass", "Center of Mass", False, "M", "centres of mass of mechanisms"),
    Flag("select_point", "Select Point", False, "", "the selected point"),
    Flag("static_body", "Static Body", True, "D", "geoms of the world and what is welded to it"),
    Flag("skin", "Skin", True, ";", "skins"),
    Flag("flex_vert", "Flex Vert", False, "", "vertices of flexible bodies"),
    Flag("flex_edge", "Flex Edge", True, "", "edges of flexible bodies"),
    Flag("flex_face", "Flex Face", False, "", "faces of flexible bodies"),
    Flag("flex_skin", "Flex Skin", True, "", "skin of flexible bodies"),
    Flag("body_tree", "Body Tree", False, "`", "bounding volumes of bodies, as deep as Tree depth says"),
    Flag("mesh_tree", "Mesh Tree", False, "\\", "bounding volumes of meshes, as deep as Tree depth says"),
    Flag("sdf_iters", "SDF iters", False, "", "search steps of collisions with signed distance fields"),
)

RENDER_FLAGS = (    # by the fields of render.scene.snapshot.RenderFlags
    Flag("shadow", "Shadow", True, "S", "shadows"),
    Flag("wireframe", "Wireframe", False, "W", "edges only"),
    Flag("reflection", "Reflection", True, "R", "the reflecting plane"),
    Flag("additive", "Additive", False, "L", "transparent things add up"),
    Flag("skybox", "Skybox", True, "K", "the sky"),
    Flag("fog", "Fog", False, "G", "fog"),
    Flag("haze", "Haze", True, "/", "haze at the horizon"),
    Flag("depth", "Depth", False, "", "distance as grey"),
    Flag("segment", "Segment", False, "", "each object in a colour of its own"),
    Flag("idcolor", "Id Color", False, "", "each object in the colour of its number"),
    Flag("cull_face", "Cull Face", True, "", "no back faces"),
)

# what is drawn that is not of the Model which runs
ADDED_FLAGS = (
    Flag("markers", "Markers", True, "", "what scripts draw: arrows, lines, points, texts, meshes, shapes"),
    Flag("ghosts", "Ghosts", True, "", "other runs, replays and goals, tinted and seen through"),
)

# beyond the official windows: what physics computes, each with a scale and unit in the picture's legend (bridge/quantities)
QUANTITY_FLAGS = (
    Flag("contact_torque", "Contact Torque", False, "", "arcs for the torques at contact points: spin about the normal and rolling"),
    Flag("friction_cone", "Friction Cone", False, "", "how far friction may go at each contact, with the force inside or on the cone"),
    Flag("joint_torque", "Joint Torque", False, "", "arcs, and arrows on slides, for what actuators, springs with dampers and dry friction do at joints"),
    Flag("joint_limit", "Joint Limit", False, "", "ranges of joints with their present value: an arc, a ruler or a cone"),
    Flag("tendon_tension", "Tendon Tension", False, "", "tendons coloured by the force along them"),
    Flag("constraint_force", "Constraint Force", False, "", "forces and torques of equality constraints and of joint limits"),
    Flag("external_force", "External Force", False, "", "what the user applies to bodies and joints, and what the mouse does"),
    Flag("linear_velocity", "Linear Velocity", False, "", "arrows at the centres of mass of bodies"),
    Flag("angular_velocity", "Angular Velocity", False, "", "arcs about the axes that bodies turn about"),
    Flag("momentum", "Momentum", False, "", "linear and angular momenta of bodies; thick: of whole trees"),
    Flag("gravity_compensation", "Gravity Compensation", False, "", "arrows for the weight that is taken off bodies"),
    Flag("fluid_force", "Fluid Force", False, "", "forces and torques of the medium on bodies"),
    Flag("body_trail", "Body Trail", False, "", "the way of the selected body, else of the last body of each chain"),
    Flag("site_trail", "Site Trail", False, "", "the way of the visible sites"),
    Flag("margin_shell", "Margin Shell", False, "", "geoms as thick as their margin makes them for contacts"),
)

# what these are drawn by; the scale of each suits the model and can be multiplied by the user
QUANTITY_SCALES = ("force", "torque", "contact torque", "speed", "turning speed", "momentum", "angular momentum", "tension", "medium force", "medium torque", "constraint force")

LABELS = ("None", "Body", "Joint", "Geom", "Site", "Camera", "Light", "Tendon", "Actuator", "Constraint", "Flex", "Skin", "Selection",
          "SelPoint", "Contact", "ContactForce", "Island")
FRAMES = ("None", "Body", "Geom", "Site", "Camera", "Light", "Contact", "World")
LOOKS = ("classic", "physical")    # as the official picture; physically based: light from the environment, gloss by roughness, a tone curve
GROUPS = ("geom", "site", "joint", "tendon", "actuator", "flex", "skin")

NOT_YET = ("flex_vert", "flex_edge", "flex_face", "flex_skin", "sdf_iters")  # switches whose objects the engine does not have yet: they change nothing


def _flags(table) -> dict[str, bool]:
    return {flag.name: flag.default for flag in table}


def _groups() -> list[bool]:
    return [True] * 3 + [False] * (NGROUP - 3)


def hidden_note(options: "VisOptions") -> str:
    """What is not shown, in a word; '' where nothing is hidden."""
    count = len(options.hidden)
    return "shown alone" if options.isolated else f"{count} hidden" if count else ""


@dataclass(slots=True)
class VisOptions:
    """The present choice. flags, render, quantities, added: by name of VIS_FLAGS, RENDER_FLAGS, QUANTITY_FLAGS, ADDED_FLAGS. label, frame, look: a name of
    LABELS, FRAMES, LOOKS.

    show: what the picture shows, one of render.scene.snapshot.SHOWN. factors: {scale: how many times as large as suits the model}.
    explained: whether the legend says what the colours of `show` mean. What is selected is no option: app.bridge.view_state.
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
    bvh_depth: int = 1
    flex_layer: int = 0
    show: str = COLOUR
    look: str = LOOKS[0]
    quantities: dict[str, bool] = field(default_factory=lambda: _flags(QUANTITY_FLAGS))
    added: dict[str, bool] = field(default_factory=lambda: _flags(ADDED_FLAGS))
    factors: dict[str, float] = field(default_factory=lambda: dict.fromkeys(QUANTITY_SCALES, 1.0))
    explained: bool = False
    hidden: frozenset = frozenset()      # of physics.model.elements.Element: not drawn, bodies with all below them
    isolated: frozenset = frozenset()    # where there are any, nothing else of the model is drawn

    def copy(self) -> VisOptions:
        """The same choice, which does not change with this one."""
        return VisOptions(**{name: copy(getattr(self, name)) for name in self.__slots__})

    def _table(self, name: str) -> dict[str, bool]:
        for table in (self.flags, self.render, self.quantities, self.added):
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
