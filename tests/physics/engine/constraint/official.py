"""Official states copied into our Data, and models that show each kind of constraint row."""
from __future__ import annotations

import functools

import mujoco
import numpy as np

from physics.model.data import Data
from tests.oracle.corpus import corpus_dir, has_corpus, require_corpus, stand_in
from tests.physics.engine.oracle_model import model_from


def corpus_path(name: str, exact: bool = False) -> str:
    """A file of the corpus, or, unless it must be exactly that, the model of ours that takes its place where that is absent."""
    return str(corpus_dir() / name if exact or has_corpus() else stand_in(name) or corpus_dir() / name)

EFC = ("type", "id", "pos", "margin", "frictionloss", "diagA", "KBIP", "R", "D", "vel", "aref", "b", "force", "state")


def limits_and_friction(cone: str = "pyramidal", extra: str = "") -> str:
    """Every kind of limit and of dry friction, with all formats of solref, on a tree with two branches and a free ball."""
    return f"""
<mujoco><compiler angle="radian"/><option cone="{cone}" {extra}/><worldbody>
 <geom type="plane" size="5 5 .1" condim="3"/>
 <body pos="0 0 .5"><joint name="s" type="slide" axis="0 0 1" range="-.1 .1" margin=".05" frictionloss="2"/>
  <geom type="sphere" size=".1" mass="1"/>
  <body pos=".3 0 0"><joint name="b" type="ball" range="0 .4" solreflimit="-500 -10" margin=".02" frictionloss=".1"/>
   <geom type="capsule" fromto="0 0 0 .3 0 0" size=".05" condim="4" friction=".7 .02 .01"/>
   <body pos=".3 0 0"><joint name="h" axis="0 1 0" range="-.3 .3" solimplimit=".5 .99 .2 .3 3" solreffriction=".05 .7"
     frictionloss=".3"/><geom type="capsule" fromto="0 0 0 .2 0 -.4" size=".04" condim="6"/></body></body>
  <body pos="-.3 0 0"><joint name="g" axis="0 1 0" range="-.1 .1" solreflimit=".001 1"/>
   <geom type="capsule" fromto="0 0 0 -.2 0 -.4" size=".04" condim="1" solref="-1000 -20"/></body>
 </body>
 <body pos="0 .6 .1"><freejoint/><geom type="box" size=".1 .15 .11" margin=".02" gap=".01" solimp=".8 .9 .01 .2 1"/></body>
</worldbody><tendon>
 <fixed name="t" range="-.05 .05" margin=".01" frictionloss=".5" solreflimit=".03 .8"><joint joint="s" coef="1"/><joint joint="h" coef="-.4"/></fixed>
 <fixed name="u" limited="true" range=".2 .4" solimpfriction=".7 .8 .01" frictionloss="1"><joint joint="g" coef="2"/></fixed>
</tendon></mujoco>"""


def coupled(cone: str = "pyramidal") -> str:
    """Three bodies on rails, balls between them, and tendons that tie two and three of the trees."""
    rails = "".join(f'<body name="r{k}" pos="{.5 * k} 0 .1"><joint name="r{k}" type="slide" axis="0 1 .1"/><joint name="z{k}" type="slide" axis="0 0 1"/>'
                    f'<geom size=".1"/></body><body pos="{.5 * k + .19} 0 .1"><freejoint/><geom size=".1"/></body>' for k in range(3))
    return f"""<mujoco><option cone="{cone}"/><worldbody><geom type="plane" size="3 3 .1"/>{rails}</worldbody><tendon>
 <fixed limited="true" range=".01 .2" frictionloss=".4"><joint joint="r0" coef="1"/><joint joint="r1" coef="-2"/><joint joint="r2" coef="1"/></fixed>
 <fixed limited="true" range="-.2 -.01"><joint joint="z0" coef="1"/><joint joint="r2" coef=".5"/></fixed></tendon></mujoco>"""


def tied(extra: str = "") -> str:
    """Every kind of equality between bodies, sites, joints and tendons: in one tree, across trees, with the world and with a moved body."""
    return f"""<mujoco><option {extra}/><compiler angle="radian"/><worldbody><site name="w" pos=".3 .1 1.4"/>
 <body name="a" pos="0 0 1"><joint name="a" axis="0 1 .1"/><geom size=".08"/><site name="a" pos=".1 .02 .03" quat="1 .2 .3 0"/>
  <body name="b" pos=".3 0 .1" quat="1 0 .3 .1"><joint name="b" type="ball"/><geom type="capsule" size=".04 .1"/>
   <site name="b" pos="0 .1 .1" quat="1 0 .4 0"/>
   <body name="c" pos=".2 .1 0"><joint name="c" type="slide" axis="1 0 1"/>
    <joint name="c2" axis="0 0 1" ref=".2"/><geom type="box" size=".05 .07 .09"/><site name="c"/></body></body>
  <body name="e" pos="-.3 0 0"><joint name="e" axis="1 0 0"/><geom size=".06" pos="0 .1 0"/></body></body>
 <body name="f" pos="1 0 1"><freejoint/><geom type="box" size=".1 .05 .07"/><site name="f" pos=".1 0 0" quat="0 1 0 .3"/></body>
 <body name="h" pos="1 1 1"><joint name="h" axis="0 1 0"/><geom size=".1" pos=".1 0 0"/></body>
 <body name="m" pos="0 1 1" mocap="true" quat="1 .1 0 0"/><body name="u"/></worldbody>
 <tendon><fixed name="t"><joint joint="a" coef="2"/><joint joint="c2" coef="-1"/></fixed><fixed name="v"><joint joint="h" coef="1"/><joint joint="a" coef="1"/></fixed>
  <spatial name="p"><site site="w"/><site site="b"/><site site="f"/></spatial><spatial name="q"><site site="c"/><site site="f"/></spatial>
  <spatial name="still"><site site="w"/><site site="w2"/></spatial></tendon>
 <equality><connect body1="c" anchor=".05 .1 0"/><connect body1="f" body2="e" anchor="0 .1 .1" solref="-300 -9"/>
  <connect site1="c" site2="a"/>
  <weld body1="f" body2="h" relpose=".1 .2 0 1 .2 .1 0" torquescale=".4" anchor=".1 0 .2"/><weld body1="e" body2="m" solimp=".7 .9 .3 .4 3"/>
  <weld site1="b" site2="f" torquescale="2"/>
  <weld body1="c" body2="a" torquescale="3"/><connect body1="u" anchor="0 0 0"/><weld body1="b" body2="c" active="false"/>
  <joint joint1="a" polycoef=".1 0 0 0 0"/><joint joint1="c2" joint2="h" polycoef=".1 .5 -.3 .2 .1"/><joint joint1="h" joint2="c"/>
  <tendon tendon1="t" polycoef=".05"/><tendon tendon1="p" tendon2="t" polycoef="0 .3 .2 .1 -.1"/><tendon tendon1="v" tendon2="q" polycoef=".1 -1"/>
  <tendon tendon1="still"/></equality></mujoco>""".replace('<site name="w" ', '<site name="w2" pos=".1 0 0"/><site name="w" ')


def odd_parameters(cone: str = "elliptic") -> str:
    """Solver parameters that contradict themselves, own references for friction, flat and steep impedances."""
    return f"""<mujoco><option cone="{cone}" impratio="3"/><worldbody><geom name="p" type="plane" size="3 3 .1"/>
 <body pos="0 0 .09"><freejoint/><geom name="a" size=".1"/></body><body pos=".4 0 .09"><freejoint/><geom name="b" size=".1"/></body>
 <body pos=".8 0 .09"><freejoint/><geom name="c" size=".1" condim="1" solref=".02 -1"/></body>
 <body pos="1.2 0 .09"><freejoint/><geom name="e" size=".1" solimp="0 1 .03 .9 1.5"/></body>
 <body pos="0 1 .5"><joint type="slide" axis="0 0 1" range="0 1" ref=".005" solreflimit="-3 .5" margin=".01" frictionloss="1" solreffriction=".01 -1"/>
  <geom size=".05"/></body></worldbody><contact>
 <pair geom1="p" geom2="a" condim="6" friction="1 .5 .1 .02 .03" solreffriction=".05 .7" solref="-900 -30" margin=".05" gap=".02"/>
 <pair geom1="p" geom2="b" condim="4" solreffriction="-5 3" solref=".001 .2" solimp=".9 .9 .01"/></contact></mujoco>"""


def pile(condim: int, cone: str, impratio: float = 1.0, count: int = 6) -> str:
    """Boxes, balls and capsules dropped on a plane and on each other."""
    shapes = ('type="box" size=".1 .12 .08"', 'type="sphere" size=".12"', 'type="capsule" size=".07 .12"')
    bodies = "".join(
        f'<body pos="{.13 * (k % 2)} {.05 * (k % 3)} {.1 + .19 * k}" euler="{7 * k} {11 * k} 0"><freejoint/>'
        f'<geom {shapes[k % 3]} condim="{condim}" friction="{.5 + .1 * k} .01 .02"/></body>' for k in range(count))
    return f"""<mujoco><option cone="{cone}" impratio="{impratio}"/><worldbody>
 <geom type="plane" size="5 5 .1" condim="{condim}"/>{bodies}</worldbody></mujoco>"""


def loaded(source: str):
    """The official model of a file or an MJCF text; skips where the file is one of the corpus, which is absent."""
    if source.lstrip().startswith("<"):
        return mujoco.MjModel.from_xml_string(source)
    if source.startswith(str(corpus_dir())):
        require_corpus()
    return mujoco.MjModel.from_xml_path(source)


@functools.lru_cache(maxsize=8)   # more would stay for as long as the worker lives
def official(source: str) -> tuple:
    """(official model, ours) of a file or an MJCF text."""
    mj = loaded(source)
    return mj, model_from(mj)


def take_contacts(d: Data, mjd: mujoco.MjData) -> None:
    """Copy the official contact list."""
    d.grow_contacts(mjd.ncon)
    d.ncon = mjd.ncon
    c = mjd.contact
    for name in ("dist", "pos", "frame", "includemargin", "friction", "solref", "solreffriction", "solimp", "dim", "geom", "exclude"):
        getattr(d, "contact_" + name)[:mjd.ncon] = getattr(c, name).reshape(mjd.ncon, *getattr(d, "contact_" + name).shape[1:])
    d.contact_exclude[:mjd.ncon][d.contact_exclude[:mjd.ncon] == 3] = 0  # our rows find these themselves


def ours_at(m, mjd: mujoco.MjData) -> Data:
    """Our Data with every official field that the constraint stages read, computed fields of the constraints left NaN."""
    d = Data(m)
    for name in d.layout.arrays:
        theirs = getattr(mjd, name, None) if not name.startswith(("efc_", "contact", "sol_")) else None
        if isinstance(theirs, np.ndarray) and theirs.size == getattr(d, name).size:
            getattr(d, name)[...] = theirs.reshape(getattr(d, name).shape)
    take_contacts(d, mjd)
    for name in ("efc_J", "efc_D", "efc_R", "efc_aref", "efc_vel", "efc_pos", "efc_margin", "efc_force", "sol_H", "sol_vec"):
        getattr(d, name)[...] = np.nan
    for name in ("qacc", "qfrc_constraint"):
        getattr(d, name)[...] = np.nan
    return d


def dense_j(rownnz, rowadr, colind, values, nefc: int, nv: int) -> np.ndarray:
    """Compressed rows as a matrix."""
    out = np.zeros((nefc, nv))
    for i in range(nefc):
        a, n = rowadr[i], rownnz[i]
        out[i, colind[a:a + n]] = values[a:a + n]
    return out


def official_j(mj, mjd) -> np.ndarray:
    """The official constraint Jacobian as a matrix."""
    if mujoco.mj_isSparse(mj):
        return dense_j(mjd.efc_J_rownnz, mjd.efc_J_rowadr, mjd.efc_J_colind, mjd.efc_J, mjd.nefc, mj.nv)
    return mjd.efc_J.ravel()[:mjd.nefc * mj.nv].reshape(mjd.nefc, mj.nv)  # rows that were dropped leave room


def our_j(m, d) -> np.ndarray:
    """Our constraint Jacobian as a matrix."""
    return dense_j(d.efc_J_rownnz, d.efc_J_rowadr, d.efc_J_colind, d.efc_J, d.nefc, m.nv)


def with_room(stage, m, d) -> None:
    """Run a stage, growing what it asks for."""
    while True:
        stage(m, d)
        if not (d.need_nefc or d.need_nJ or d.need_nH):
            return
        d.grow_efc(d.need_nefc, d.need_nJ)
        d.grow_factor(d.need_nH)


def settled(mj, steps: int, seed: int = 0, kick: float = 0.5, exact: bool = False) -> mujoco.MjData:
    """An official state after some steps with random controls and a random kick, with all stages computed."""
    rng = np.random.default_rng(seed)
    mjd = mujoco.MjData(mj)
    for _ in range(steps):
        mjd.ctrl[:] = 0.5 * rng.normal(size=mj.nu)
        mujoco.mj_step(mj, mjd)
    mjd.qvel += kick * rng.normal(size=mj.nv)
    if exact:
        mj.opt.tolerance, mj.opt.ls_tolerance = 0.0, 0.0
    mujoco.mj_forward(mj, mjd)
    if exact:
        mj.opt.tolerance, mj.opt.ls_tolerance = 1e-8, 0.01
    return mjd
