"""Names of all elements, compared with the official compiler's."""
import mujoco

# our kind -> the official object type
OFFICIAL_KINDS = {
    "body": mujoco.mjtObj.mjOBJ_BODY, "joint": mujoco.mjtObj.mjOBJ_JOINT, "geom": mujoco.mjtObj.mjOBJ_GEOM, "site": mujoco.mjtObj.mjOBJ_SITE,
    "camera": mujoco.mjtObj.mjOBJ_CAMERA, "light": mujoco.mjtObj.mjOBJ_LIGHT, "mesh": mujoco.mjtObj.mjOBJ_MESH, "skin": mujoco.mjtObj.mjOBJ_SKIN,
    "hfield": mujoco.mjtObj.mjOBJ_HFIELD, "texture": mujoco.mjtObj.mjOBJ_TEXTURE, "material": mujoco.mjtObj.mjOBJ_MATERIAL,
    "pair": mujoco.mjtObj.mjOBJ_PAIR, "exclude": mujoco.mjtObj.mjOBJ_EXCLUDE, "equality": mujoco.mjtObj.mjOBJ_EQUALITY,
    "tendon": mujoco.mjtObj.mjOBJ_TENDON, "actuator": mujoco.mjtObj.mjOBJ_ACTUATOR, "sensor": mujoco.mjtObj.mjOBJ_SENSOR,
    "numeric": mujoco.mjtObj.mjOBJ_NUMERIC, "text": mujoco.mjtObj.mjOBJ_TEXT, "tuple": mujoco.mjtObj.mjOBJ_TUPLE, "key": mujoco.mjtObj.mjOBJ_KEY,
}


def wrong_names(ours, official) -> dict[str, str]:
    """{kind: the first difference} for kinds whose names are not the official ones, in the same order."""
    found = {}
    for kind, code in OFFICIAL_KINDS.items():
        mine = list(ours.names[kind])
        theirs = [mujoco.mj_id2name(official, code, i) or "" for i in range(len(mine) + 1)]
        if mine != theirs[:-1] or theirs[-1]:
            at = next((i for i, (a, b) in enumerate(zip(mine, theirs)) if a != b), len(mine))
            found[kind] = f"{kind} {at}: ours {mine[at] if at < len(mine) else 'is missing'!r}, official {theirs[at]!r}"
    return found
