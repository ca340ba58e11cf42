"""Models of very many geoms, as text: mixed shapes on static and moving bodies, on request with meshes and materials of their own."""
import random

SHAPES = (("box", 3, 0.02, 0.06), ("sphere", 1, 0.02, 0.06), ("capsule", 2, 0.015, 0.04))     # type, numbers of its size, least and most [m]
EVERY = 4       # how many bodies there are to one that moves
COLLIDING = 2   # geoms of a body that may collide; the others are there to be seen


def many_geoms(geoms: int = 50_000, bodies: int = 1_000, meshes: int = 0, seed: int = 1) -> str:
    """MJCF of `geoms` geoms beside a floor, on that many bodies in a square; with meshes every fifth geom shows one of so many, each with a material."""
    rng = random.Random(seed)
    assets = "".join(f'<mesh name="m{i}" vertex="{_tetrahedron(rng)}"/><material name="k{i}" rgba="{_colour(rng)}"/>' for i in range(meshes))
    side, parts = round(bodies ** 0.5 + 0.5), []
    for i in range(bodies):
        moves = "" if i % EVERY else "<freejoint/>" if i % (2 * EVERY) else '<joint axis="0 0 1"/>'
        shapes = []
        for k in range(geoms * i // bodies, geoms * (i + 1) // bodies):
            shapes.append(_geom(rng, k, meshes, free=len(shapes) >= COLLIDING))
        parts.append(f'<body pos="{i % side} {i // side} 0.8">{moves}{"".join(shapes)}</body>')
    return f"""<mujoco model="many geoms"><asset><texture name="c" type="2d" builtin="checker" width="64" height="64" rgb1=".2 .3 .4" rgb2=".1 .2 .3"/>
<material name="floor" texture="c" texrepeat="20 20"/>{assets}</asset>
<worldbody><light pos="0 0 30" directional="true"/><geom name="floor" type="plane" size="0 0 1" material="floor"/>
{chr(10).join(parts)}</worldbody></mujoco>"""


def _geom(rng: random.Random, k: int, meshes: int, free: bool) -> str:
    pos = " ".join(f"{rng.uniform(-0.4, 0.4):.3f}" for _ in range(3))
    more = ' contype="0" conaffinity="0"' if free else ""
    if meshes and k % 5 == 0:
        i = k // 5 % meshes
        return f'<geom type="mesh" mesh="m{i}" material="k{i}" pos="{pos}"{more}/>'
    shape, numbers, least, most = SHAPES[k % len(SHAPES)]
    size = " ".join(f"{rng.uniform(least, most):.3f}" for _ in range(numbers))
    return f'<geom name="g{k}" type="{shape}" size="{size}" pos="{pos}" rgba="{_colour(rng)}"{more}/>'


def _tetrahedron(rng: random.Random) -> str:
    a, b, c = (f"{rng.uniform(0.02, 0.08):.4f}" for _ in range(3))
    return f"{a} 0 0 0 {b} 0 0 0 {c} -{a} -{b} 0"


def _colour(rng: random.Random) -> str:
    return f"{rng.random():.2f} {rng.random():.2f} {rng.random():.2f} 1"
