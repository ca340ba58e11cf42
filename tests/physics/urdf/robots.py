"""Pieces of URDF text for the tests."""

PLAIN = '<mujoco><compiler fusestatic="false" discardvisual="false"/></mujoco>'
INERTIA = '<inertial><origin xyz=".1 0 0" rpy=".1 .2 .3"/><mass value="1"/><inertia ixx="1" iyy="1.2" izz="1" ixy="0" ixz=".1" iyz="0"/></inertial>'


def link(name, parts="", inertia=INERTIA):
    return f'<link name="{name}">{inertia}{parts}</link>'


def joint(name, parent, child, parts="", kind="revolute"):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{parts}</joint>'


def shape(geometry, kind="collision", parts="", name=""):
    label = f' name="{name}"' if name else ""
    return f"<{kind}{label}>{parts}<geometry>{geometry}</geometry></{kind}>"


def robot(*parts, settings=PLAIN):
    return f'<robot name="r">{settings}{"".join(parts)}</robot>'
