"""A small model with skins for tests: a tube along a chain of bodies whose vertices hang on all bones, and a sheet on bones that do not turn."""
import numpy as np

BONES, AROUND, RINGS = 5, 8, 13


def tube():
    """Vertices (n, 3), triangles (m, 3), texture coordinates (n, 2), weights (bones, n) of a closed-sided tube along x."""
    along, angle = np.linspace(0, 1, RINGS), np.arange(AROUND) * 2 * np.pi / AROUND
    x, a = np.meshgrid(along, angle, indexing='ij')
    vertex = np.stack([x, 0.12 * np.cos(a), 0.12 * np.sin(a)], 2).reshape(-1, 3)
    at = np.arange(RINGS * AROUND).reshape(RINGS, AROUND)
    p, q, r, s = at[:-1], at[1:], np.roll(at[1:], -1, 1), np.roll(at[:-1], -1, 1)
    face = np.concatenate([np.stack([p, r, q], -1).reshape(-1, 3), np.stack([p, s, r], -1).reshape(-1, 3)])
    weight = np.exp(-((x.ravel() - np.linspace(0, 0.8, BONES)[:, None]) / 0.2) ** 2)
    return vertex, face, np.stack([x, a / 6.3], 2).reshape(-1, 2), weight / weight.sum(0)


def text(values):
    """Numbers for an attribute."""
    return ' '.join(f'{v:.9g}' for v in np.ravel(values))


def skin_xml(inflate=0.03, **attributes):
    """The model; attributes go to the tube's element."""
    vertex, face, texcoord, weight = tube()
    bones = ''.join(f'<bone body="b{k}" bindpos="{0.2 * k} 0 0" bindquat="1 0 0 0" vertid="{text(range(len(vertex)))}" vertweight="{text(weight[k])}"/>'
                    for k in range(BONES))
    chain = ''
    for k in reversed(range(BONES)):
        chain = (f'<body name="b{k}" pos="{0.2 if k else 0} 0 {0 if k else 0.6}"><joint name="j{k}" type="ball"/>'
                 f'<geom type="capsule" size=".05" fromto="0 0 0 .2 0 0" group="4"/>{chain}</body>')
    corners = ''.join(f'<body name="c{k}" pos="{0.3 * (k % 2)} .5 {0.3 + 0.3 * (k // 2)}"><joint name="s{k}" type="slide" axis="1 2 1"/>'
                      f'<geom size=".02" group="4"/></body>' for k in range(4))
    sheet = ''.join(f'<bone body="c{k}" bindpos="0 0 0" bindquat="1 0 0 0" vertid="{k} {k + 4}" vertweight="1 1"/>' for k in range(4))
    extra = ' '.join(f'{k}="{v}"' for k, v in attributes.items())
    return f'''<mujoco><asset><texture name="chk" type="2d" builtin="checker" rgb1="1 .2 .1" rgb2=".1 .2 1" width="32" height="32"/>
<material name="chk" texture="chk" texrepeat="3 3"/><material name="red" rgba=".8 .1 .1 1"/></asset>
<worldbody><light pos="0 0 3" dir=".2 .2 -1" directional="true"/><geom type="plane" size="2 2 .1"/>{chain}{corners}</worldbody>
<deformable><skin name="tube" material="chk" inflate="{inflate}" vertex="{text(vertex)}" texcoord="{text(texcoord)}" face="{text(face)}" {extra}>{bones}</skin>
<skin name="sheet" rgba=".2 .7 .3 1" inflate=".01" group="1" vertex="{text(np.zeros((8, 3)))}" face="0 2 1 1 2 3 4 5 6 5 7 6">{sheet}</skin></deformable></mujoco>'''


def bend(m, d):
    """A pose in which every bone has turned and the sheet is no rectangle."""
    rng = np.random.default_rng(3)
    for k in range(BONES):
        angle = rng.normal(size=3) * 0.25
        d.qpos[m.joint(f'j{k}').qposadr[0]:][:4] = np.r_[np.cos(np.linalg.norm(angle) / 2), np.sin(np.linalg.norm(angle) / 2) * angle / np.linalg.norm(angle)]
    for k in range(4):
        d.qpos[m.joint(f's{k}').qposadr[0]] = rng.normal() * 0.05
