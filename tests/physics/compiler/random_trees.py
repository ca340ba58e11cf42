"""Random models for the compiler's switches: bodies in bodies, static and moving, with parts that are seen, collide or weigh."""
import random

SETTINGS = ("", "", 'inertiagrouprange="0 2"', 'boundmass=".01" boundinertia=".001"', 'boundmass="10"', 'balanceinertia="true"', 'alignfree="true"')
SHAPES = ("sphere", "box", "capsule", "cylinder", "ellipsoid")


class Tree:
    """One random model; the same seed gives the same."""

    def __init__(self, seed: int) -> None:
        self.rng, self.count = random.Random(seed), 0
        self.bodies, self.geoms = [], []

    def numbers(self, n: int, scale: float = 1.0) -> str:
        return " ".join(f"{self.rng.uniform(-scale, scale):.3f}" for _ in range(n))

    def name(self, letter: str, names=None) -> str:
        self.count += 1
        if names is not None:
            names.append(f"{letter}{self.count}")
        return f"{letter}{self.count}"

    def pose(self) -> str:
        turn = self.rng.choice((f'quat="{self.numbers(4)}"', f'euler="{self.numbers(3, 90)}"', ""))
        return f'pos="{self.numbers(3)}" {turn}'

    def part(self) -> str:
        kind = self.rng.choices(("geom", "site", "camera", "light", "frame"), (6, 1, 1, 1, 1))[0]
        if kind == "geom":
            size = " ".join(f"{self.rng.uniform(.02, .3):.3f}" for _ in range(3))
            seen = 'contype="0" conaffinity="0"' if self.rng.random() < .4 else ""
            mass = 'mass="0"' if self.rng.random() < .15 else ""
            return (f'<geom name="{self.name("g", self.geoms)}" type="{self.rng.choice(SHAPES)}" size="{size}" {self.pose()} {seen} {mass} '
                    f'group="{self.rng.randint(0, 3)}"/>')
        if kind == "light":
            return f'<light name="{self.name("l")}" pos="{self.numbers(3)}" dir="{self.numbers(3)}"/>'
        if kind == "frame":
            return f"<frame {self.pose()}>{self.part()}</frame>"
        return f'<{kind} name="{self.name(kind[0])}" {self.pose()}/>'

    def body(self, depth: int = 0) -> str:
        name = self.name("b", self.bodies)
        inside = [self.part() for _ in range(self.rng.randint(0, 3))]
        if depth < 4:
            inside += [self.body(depth + 1) for _ in range(self.rng.randint(0, 2 if depth else 3))]
        self.rng.shuffle(inside)
        if self.rng.random() < .4:
            inside = [f'<joint type="{self.rng.choice(("hinge", "slide", "ball"))}"/>', *inside, '<geom size=".05"/>']
        if self.rng.random() < .2:
            inside.append(f'<inertial pos="{self.numbers(3)}" mass="{self.rng.uniform(0, 2):.2f}" diaginertia="1 {self.rng.uniform(1, 1.5):.2f} 1.2"/>')
        fuse = 'fuse="false"' if self.rng.random() < .1 else ""
        text = f'<body name="{name}" {self.pose()} {fuse}>{"".join(inside)}</body>'
        return f"<frame {self.pose()}>{text}</frame>" if self.rng.random() < .2 else text


def random_tree(seed: int, settings: str = "") -> str:
    """A model's text; settings: attributes of its <compiler>."""
    tree = Tree(seed)
    bodies = "".join(tree.body() for _ in range(3))
    rest = f'<contact><exclude body1="{tree.rng.choice(tree.bodies)}" body2="world"/></contact>' if tree.rng.random() < .5 else ""
    if tree.geoms and tree.rng.random() < .5:
        rest += f'<sensor><framepos objtype="geom" objname="{tree.rng.choice(tree.geoms)}"/></sensor>'
    return f"<mujoco><compiler {settings} {tree.rng.choice(SETTINGS)}/><worldbody>{bodies}</worldbody>{rest}</mujoco>"
