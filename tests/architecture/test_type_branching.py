"""What depends on the type of a joint, geom or actuator stands in few places, so that a new type is added in few places."""
import ast
import re

from tests.architecture.sources import refuse, sources

# constants or enumeration members -> files that may compare with them, each with its reason
HOMES = {
    r"JNT_\w+|JointType": {
        "physics/engine/kinematics/joints.py": "all that the engine knows of joint types",
        "physics/compiler/": "joints are made here",
        "physics/writer/bodies.py": "what a free or ball joint has no attribute for",
        "physics/writer/start_pose.py": "only a free body starts where qpos0 says",
        "app/bridge/": "joints are drawn by type",
        "app/panels/": "only slides and hinges have sliders",
        "physics/engine/constraint/limit.py": "a ball's limit is one angle, any other has two sides",
        "physics/engine/actuator/servo.py": "a servo on a ball joint turns the short way round",
        "physics/engine/integrator/derivative.py": "a free body alone has a diagonal block",
        "physics/quantities/": "units of what joints move and are moved by",
        "physics/inverse_kinematics/limits.py": "a ball's limit is one angle; what floats is told from joints",
        "physics/lint/joint_kinds.py": "which joints turn, and which have one coordinate",
        "editor/tools/": "gizmos of joints are by what these do",
        "physics/runtime/perturbation.py": "only a free joint can be put anywhere by hand",
    },
    r"GEOM_\w+|GeomType": {
        "physics/engine/kinematics/shapes.py": "the numbers of the shapes",
        "physics/engine/collide/": "pairs of shapes",
        "physics/compiler/": "geoms are made here",
        "physics/writer/bodies.py": "a mesh or height field gives its geom's size",
        "physics/diagnostics/advice/shapes.py": "how thick a geom is, and whether it collides as a mesh or height field",
        "physics/model/relations.py": "whether a geom's data are a mesh or a height field",
        "physics/diagnostics/geom_gap.py": "how distances are told of height fields, planes, which have no bounding sphere, and boxes, whose contacts margins do not promise",
        "editor/tools/subject.py": "meshes have frames of their own",
        "app/bridge/": "geoms are drawn by type",
    },
}


def _names(node) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def test_types_are_compared_where_they_belong():
    wrong = []
    for s in sources():
        for pattern, homes in HOMES.items():
            if any(s.path.startswith(h) for h in homes):
                continue
            for node in s.nodes:
                if isinstance(node, ast.Compare):
                    hits = [n for n in _names(node) if re.fullmatch(pattern, n)]
                    wrong += [f"{s.path}:{node.lineno} compares with {', '.join(hits)}"] if hits else []
    refuse(wrong)
