"""Lines of users' scripts: the README's, and what scripts for the official bindings are made of, in both and compared."""
import copy
import pickle
import re
from pathlib import Path

import mujoco
import numpy as np
import pytest

import physics
from physics import enums

ROOT = Path(__file__).resolve().parents[2]


def test_the_readmes_script_runs(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    (text,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    names = {}
    exec(text, names)
    assert names["lin"].shape == (3, names["m"].nv) and np.isfinite(names["A"]).all()
    assert (names["runs"].steps == 100).all() and (names["runs"].states[0] == names["runs"].states[7]).all()
    assert (names["d"].ctrl == 0.1).all() and "[1.0" in capsys.readouterr().out


def test_no_public_name_is_a_modules():
    """Importing the module would put it in the name's place."""
    assert not [name for name, home in physics._HOMES.items() if f"physics.{name}" in physics._HOMES.values()] and physics._HOMES["step"]


ROBOT = """<mujoco model="robot"><option timestep=".005"><flag energy="enable"/></option><visual><global offwidth="1280"/></visual>
<asset><texture name="grid" type="2d" builtin="checker" width="8" height="8"/><material name="mat" texture="grid" rgba=".1 .2 .3 1"/></asset>
<worldbody><light name="top" pos="0 0 3"/><camera name="side" pos="0 -2 1"/><geom name="floor" type="plane" size="2 2 .1" material="mat"/>
<body name="target" mocap="true" pos="1 0 .5"><geom name="t" size=".02" contype="0" conaffinity="0"/></body>
<body name="torso" pos="0 0 .095"><freejoint name="root"/><geom name="hull" size=".1"/><site name="imu"/>
<body name="arm" pos="0 0 .1"><joint name="knee" axis="0 1 0" range="-1 1" damping=".1"/>
<geom name="limb" type="capsule" size=".03" fromto="0 0 0 .3 0 0"/><site name="tip" pos=".3 0 0"/></body></body></worldbody>
<tendon><fixed name="ten"><joint joint="knee" coef="1"/></fixed></tendon>
<actuator><motor name="m1" joint="knee" ctrlrange="-1 1"/><position name="p1" tendon="ten" kp="3" timeconst=".1"/></actuator>
<equality><weld name="w" body1="target" body2="arm" active="false"/></equality>
<sensor><jointpos name="angle" joint="knee"/><accelerometer name="acc" site="imu"/></sensor>
<custom><numeric name="num" data="1 2"/><text name="txt" data="hello"/></custom>
<keyframe><key name="home" qpos="0 0 .095 1 0 0 0 .2" ctrl=".1 .2"/></keyframe></mujoco>"""

# lines that read the same in both
READING = """
[m.nq, m.nv, m.nu, m.na, m.nbody, m.ngeom, m.njnt, m.nsite, m.nsensor, m.nsensordata, m.nkey, m.nmocap, m.ncam, m.neq, m.ntendon, m.nlight]
m.opt.timestep
m.opt.gravity
[m.opt.integrator, m.opt.cone, m.opt.solver, m.opt.iterations]
[m.vis.global_.offwidth, m.vis.map.znear, m.vis.scale.contactwidth, m.vis.headlight.active]
[m.stat.extent, *m.stat.center, m.stat.meanmass]
m.jnt_range
m.qpos0
m.key_qpos
m.body_mass.sum()
m.actuator_ctrlrange[:, 0]
m.body('torso').mass
[m.body('torso').id, m.body('arm').parentid[0], m.body('arm').jntadr[0], m.body('target').mocapid[0]]
d.qpos[m.joint('knee').qposadr]
d.mocap_pos[m.body('target').mocapid[0]]
m.body(2).inertia
m.body('arm').ipos
m.joint('knee').range
[m.joint('knee').qposadr[0], m.joint('knee').dofadr[0], m.joint('knee').type[0]]
m.joint('knee').damping
m.jnt('knee').axis
m.geom('hull').size
m.geom('hull').rgba
m.geom('hull').friction
m.site('tip').pos
m.camera('side').pos
m.cam('side').fovy
m.light('top').pos
m.actuator('m1').ctrlrange
m.actuator('p1').gainprm
np.concatenate([m.sensor('acc').adr, m.sensor('acc').dim])
m.sensor_type[m.sensor('angle').id]
m.key('home').qpos
m.key(0).ctrl
m.keyframe('home').qpos
m.mat('mat').rgba
m.tex('grid').width
m.eq('w').active0
m.numeric('num').data
[len(m.geom(i).name) for i in range(m.ngeom)]
d.time
d.qpos
d.joint('knee').qpos
d.joint('root').qvel
d.jnt('knee').qacc
d.joint('knee').xaxis
d.joint('knee').qfrc_actuator
d.body('arm').xpos
d.body('arm').xquat
d.body('arm').xmat
d.body('torso').subtree_com
d.xipos[m.body('arm').id]
d.geom('limb').xpos
d.geom('limb').xmat.reshape(3, 3)
d.site('tip').xpos
d.site_xpos[m.site('tip').id]
d.camera('side').xmat
d.light('top').xpos
d.actuator('m1').ctrl
d.actuator('m1').force
d.tendon('ten').length
d.sensor('angle').data
d.sensor('acc').data[0]
d.mocap_pos[m.body('target').mocapid]
d.energy
[d.ncon, d.nefc, len(d.contact)]
[d.contact[0].dist, d.contact[0].geom1, d.contact[0].geom2, d.contact[0].dim, d.contact[0].mu]
d.contact[0].frame
d.contact[0].friction
d.contact.geom
d.contact.geom2
d.contact.dist
[c.efc_address for c in d.contact]
d.qfrc_bias
d.qacc_smooth
d.cvel
d.eq_active
[w.number for w in d.warning]
d.qpos[m.jnt_qposadr[m.joint('knee').id]]
""".strip().splitlines()

# calls: the official line, and ours
CALLS = """
mj.mj_name2id(m, mj.mjtObj.mjOBJ_BODY, 'torso') | P.name2id(m, 'body', 'torso')
mj.mj_name2id(m, mj.mjtObj.mjOBJ_BODY, 'nobody') | P.name2id(m, E.ObjType.BODY, 'nobody')
len(mj.mj_id2name(m, mj.mjtObj.mjOBJ_GEOM, 1)) | len(P.id2name(m, 'geom', 1))
get(mj.mj_fullM, (m.nv, m.nv), m, d, False) | P.full_m(m, d)
get(mj.mj_jacSite, (3, m.nv), m, d, True, m.site('tip').id) | P.jac_site(m, d, 'tip')[0]
get(mj.mj_jacBody, (3, m.nv), m, d, True, m.body('arm').id) | P.jac_body(m, d, m.body('arm').id)[0]
get(mj.mj_jacSubtreeCom, (3, m.nv), m, d, True, 2) | P.jac_subtree_com(m, d, 'torso')
get(mj.mj_contactForce, (6,), m, d, 0) | P.contact_force(m, d, 0)
velocity(m, d, mj.mjtObj.mjOBJ_SITE, m.site('tip').id) | P.object_velocity(m, d, 'site', 'tip')
mj.mj_stateSize(m, mj.mjtState.mjSTATE_PHYSICS) | P.state_size(m, E.StateBit.PHYSICS)
state(m, d, mj.mjtState.mjSTATE_FULLPHYSICS) | P.get_state(m, d, E.StateBit.FULLPHYSICS)
difference(m, d) | P.differentiate_pos(m, m.qpos0, d.qpos)
(mj.mj_rnePostConstraint(m, d), d.cfrc_ext)[1] | (P.rne_post_constraint(m, d), d.cfrc_ext)[1]
(mj.mj_subtreeVel(m, d), d.subtree_linvel)[1] | (P.subtree_vel(m, d), d.subtree_linvel)[1]
(mj.mj_inverse(m, d), d.qfrc_inverse)[1] | (P.inverse(m, d), d.qfrc_inverse)[1]
mj.mj_geomDistance(m, d, m.geom('hull').id, m.geom('t').id, 5, None) | P.geom_distance(m, d, 'hull', 't', 5).dist
mj.mj_ray(m, d, np.array([0, 0, 2.0]), np.array([0, 0, -1.0]), None, 1, -1, np.zeros(1, np.int32), None) | P.ray(m, d, [0, 0, 2], [0, 0, -1]).dist
(mj.mj_resetDataKeyframe(m, d, 0), d.qpos)[1] | (P.reset(m, d, 'home'), d.qpos)[1]
(mj.mj_kinematics(m, d), d.body('arm').xpos)[1] | (P.kinematics(m, d), d.body('arm').xpos)[1]
(mj.mj_comPos(m, d), d.subtree_com)[1] | (P.com_pos(m, d), d.subtree_com)[1]
(mj.mj_forward(m, d), d.qacc)[1] | (P.forward(m, d), d.qacc)[1]
(mj.mj_step(m, d, nstep=5), d.qpos)[1] | (P.step(m, d, nstep=5), d.qpos)[1]
(mj.mj_step1(m, d), mj.mj_step2(m, d), d.qvel)[2] | (P.step1(m, d), P.step2(m, d), d.qvel)[2]
(mj.mj_resetData(m, d), d.qpos)[1] | (P.reset(m, d), d.qpos)[1]
""".strip().splitlines()

WRITING = """
m.opt.timestep = .002
m.opt.gravity[2] = -1.62
m.opt.gravity = (0, 0, -9.81)
m.opt.disableflags |= 1; m.opt.disableflags &= ~1
m.geom('hull').rgba = [1, 0, 0, 1]
m.geom('hull').rgba[:3] = .5
d.qpos[7:] = .1
d.qpos = d.qpos * 1
d.ctrl = .2
d.ctrl[m.actuator('m1').id] = .3
d.actuator('p1').ctrl = .1
d.joint('knee').qpos = .3
d.joint('knee').qvel[0] = .2
d.body('arm').xfrc_applied[:] = [0, 0, 1, 0, 0, 0]
d.xfrc_applied[m.body('arm').id, 2] = 0
d.mocap_pos[0] = [0, 0, 1]
d.eq_active[0] = 1; d.eq_active[0] = 0
np.copyto(d.qpos, m.key_qpos[0])
""".strip().splitlines()


def get(function, shape, m, d, *more):
    """What an official function writes into an array; True: into the first of two."""
    out = np.zeros(shape)
    if more[0] is True:
        args = (out,) if function is mujoco.mj_jacSubtreeCom else (out, None)
        function(m, d, *args, *more[1:])
    elif more[0] is False:
        function(m, d, out)
    else:
        function(m, d, *more, out)
    return out


def velocity(m, d, kind, k):
    out = np.zeros(6)
    mujoco.mj_objectVelocity(m, d, kind, k, out, 0)
    return out


def state(m, d, sig):
    out = np.zeros(mujoco.mj_stateSize(m, sig))
    mujoco.mj_getState(m, d, out, sig)
    return out


def difference(m, d):
    out = np.zeros(m.nv)
    mujoco.mj_differentiatePos(m, out, 1, m.qpos0, d.qpos)
    return out


@pytest.fixture
def robots():
    """Names for official lines, and for ours, after three steps."""
    physics.ensure_kernels()
    mj, m = mujoco.MjModel.from_xml_string(ROBOT), physics.load_string(ROBOT)
    mjd, d = mujoco.MjData(mj), physics.Data(m)
    mujoco.mj_step(mj, mjd, 3)
    physics.step(m, d, 3)
    tools = {"np": np, "get": get, "velocity": velocity, "state": state, "difference": difference}
    return {"m": mj, "d": mjd, "mj": mujoco, **tools}, {"m": m, "d": d, "P": physics, "E": enums, "np": np}


def same(ours, theirs):
    return np.allclose(np.ravel(ours), np.ravel(theirs), rtol=1e-6, atol=1e-8)


def test_lines_that_read_are_as_in_official_scripts(robots):
    theirs, ours = robots
    wrong = [line for line in READING if not same(eval(line, ours), eval(line, theirs))]
    assert not wrong and len(READING) > 70


def test_a_single_number_is_an_array_of_one_and_a_number(robots):
    m, d = robots[1]["m"], robots[1]["d"]
    mass = m.body("torso").mass
    assert mass.shape == (1,) and f"{mass:.3f}" == f"{m.body_mass[2]:.3f}" and float(mass) == mass[0]
    assert d.qpos[m.joint("knee").qposadr].shape == (1,) and list(range(9))[m.joint("knee").qposadr] == 7
    mass[0] = 3.0
    assert m.body_mass[2] == 3 and type(mass * 2) is np.ndarray and mass.sum() == 3 and mass == 3 and int(m.body("arm").parentid) == 2
    m.body("torso").mass = [4.0]
    m.body("arm").mass = m.body("torso").mass
    assert m.body_mass[3] == 4


def test_lines_that_call_have_a_counterpart(robots):
    theirs, ours = robots
    pairs = [line.split(" | ") for line in CALLS]
    wrong = [mine for official, mine in pairs if not same(eval(mine, ours), eval(official, theirs))]
    assert not wrong


def test_lines_that_write_are_as_in_official_scripts(robots):
    theirs, ours = robots
    for line in WRITING:
        exec(line, theirs)
        exec(line, ours)
    mujoco.mj_step(theirs["m"], theirs["d"], 10)
    physics.step(ours["m"], ours["d"], 10)
    assert same(ours["d"].qpos, theirs["d"].qpos) and same(ours["d"].sensordata, theirs["d"].sensordata) and same(ours["m"].geom_rgba, theirs["m"].geom_rgba)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))], ids=["copy", "deepcopy", "pickle"])
def test_models_and_data_can_be_copied(robots, again):
    m, d = robots[1]["m"], robots[1]["d"]
    m2 = again(m)
    assert m2 is not m and m2.names == m.names and m2.compat == m.compat and m2.vis == m.vis and m2.opt.timestep == m.opt.timestep
    assert physics.to_mjcf(m2) == physics.to_mjcf(m)
    d2 = physics.Data(m2)
    assert physics.step(m2, d2, 3) == 3 and (d2.qpos == d.qpos).all()
    m2.body_mass[:] = 0
    assert m.body_mass[2] > 0
    d3 = again(d)
    assert all(np.array_equal(getattr(d3, name), getattr(d, name), equal_nan=True) for name in d.layout.arrays)
    assert d3.time == d.time and d3.ncon == d.ncon == 1 and (d3.model is m) == (again in (copy.copy, copy.deepcopy))
    for one in (d, d3):
        physics.step(one.model, one, 20)
    assert (d3.qpos == d.qpos).all()
    d3.qpos[0] += 1
    assert d3.qpos[0] != d.qpos[0]


def test_a_model_and_its_data_are_copied_together(robots):
    m, d = robots[1]["m"], robots[1]["d"]
    for m2, d2 in (copy.deepcopy((m, d)), pickle.loads(pickle.dumps((m, d)))):
        assert m2 is not m and d2.model is m2 and physics.step(m2, d2) == 1


def test_callbacks_and_records_stay_with_the_original(robots):
    d = robots[1]["d"]
    d.set_callback("cb_control", lambda _m, _d: None)
    assert copy.copy(d).cb_control == copy.deepcopy(d).cb_control == pickle.loads(pickle.dumps(d)).cb_control == 0 != d.cb_control


@pytest.mark.parametrize(("line", "error", "words"), [
    ("P.mj_step(m, d)", AttributeError, "here it is physics.step$"), ("P.mj_jacSubtreeCom", AttributeError, "here it is physics.jac_subtree_com$"),
    ("P.MjModel.from_xml_path('x')", AttributeError, r"physics.load\(path\)"), ("P.MjData(m)", AttributeError, r"physics.Data\(model\)"),
    ("P.mj_resetDataKeyframe(m, d, 0)", AttributeError, r"physics.reset\(model, data, key\)"),
    ("P.mjtObj", AttributeError, "here it is physics.ObjType$"), ("P.mjtState", AttributeError, "here it is physics.StateBit$"),
    ("P.mjd_transitionFD", AttributeError, "physics.transition_fd"), ("P.mju_mulQuat", AttributeError, "here it is physics.mul_quat$"),
    ("P.set_mjcb_control", AttributeError, "data.set_callback"), ("P.Renderer", AttributeError, "linkwork.Pictures"), ("P.steb", AttributeError, "mean 'step'"),
    ("P.nothing_like_it", AttributeError, "'nothing_like_it'$"), ("m.bodi('torso')", AttributeError, "mean 'body'"), ("m.geom_sizes", AttributeError, "mean 'geom_size'"),
    ("d.xposs", AttributeError, "mean 'xpos'"), ("d.body('arm').xpoz", AttributeError, "mean 'xpos'"), ("m.body('torso').mas", AttributeError, "mean 'mass'"),
    ("d.joint('knee').pos", AttributeError, "mean 'qpos'"), ("m.opt.time_step", AttributeError, "m.opt has no field time_step; did you mean 'timestep'"),
    ("setattr(m.opt, 'timestp', 1)", AttributeError, "mean 'timestep'"), ("setattr(d, 'quos', 1)", AttributeError, "mean 'qpos'"),
    ("d.contact[0].dits", AttributeError, "mean 'dist'"), ("d.contact.dits", AttributeError, "mean 'dist'"), ("m.body('torzo')", KeyError, "there are: world, target, torso, arm"),
    ("P.jac_site(m, d, 'top')", KeyError, "there are: imu, tip"), ("P.geom_distance(m, d, 'hull', 't', float('inf'))", ValueError, "largest distance"),
])
def test_mistakes_name_what_was_meant(robots, line, error, words):
    with pytest.raises(error, match=words):
        eval(line, robots[1])
