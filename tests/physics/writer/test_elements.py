"""Each kind of element written and read back, by us and by the official compiler."""
import numpy as np
import pytest

import physics
from tests.physics.writer.round_trip import differences

BODY = '<body name="a" pos="0 0 1"><joint name="j" range="-40 30"/><geom name="g" size=".1"/><site name="s"/>{}</body>'
PLAIN = BODY.format("")
WITH_H = BODY.format('<body name="b"><geom name="h" size=".1"/></body>')
WITH_B = BODY.format('<body name="b" pos="1 0 0"><joint name="k"/><geom size=".1"/><site name="r"/></body>')
WITH_CAMERA = BODY.format('<camera name="c"/>')
SNIPPETS = {
    "settings": '<option timestep="0.001" integrator="RK4" cone="elliptic" gravity="0 0 -1" o_solref="0.1 1" actuatorgroupdisable="1 4">'
                '<flag contact="disable" energy="enable" island="disable"/></option>'
                '<size nuser_geom="3" nuserdata="4" njmax="50"/><statistic extent="3" center="1 2 3" meaninertia="0.7"/>'
                '<visual><global fovy="50" offwidth="800"/><headlight active="false" ambient=".1 .2 .3"/><map znear="0.02"/>'
                '<quality shadowsize="512"/><rgba fog="1 0 0 1"/><scale com="0.7"/></visual>'
                f'<worldbody>{PLAIN}</worldbody>',
    "inertias": '<compiler balanceinertia="true" boundmass="0.1"/><worldbody><body><freejoint align="true"/><geom size=".1" pos="1 0 0"/>'
                '<geom type="box" size=".1 .2 .3" euler="10 20 30"/></body><body name="light"/><body><body/><geom size=".1" mass="0"/></body>'
                '<body><joint/><inertial pos="1 2 3" mass="2" fullinertia="1 2 2.5 .1 .2 .3"/></body></worldbody>',
    "joints": '<size nuser_jnt="3"/><worldbody><body><joint type="free" damping="1" armature=".1"/><geom size=".1"/></body><body>'
              '<joint type="slide" axis="1 1 0" stiffness="1 2 3" damping="3 2" springref="2" ref="1" group="3"/>'
              '<joint name="b" type="ball" range="0 50" frictionloss="1" solreffriction="-1 -2" user="1 0 2"/><geom size=".1"/></body><body>'
              '<joint axis="0 1 0" range="-10 20" limited="false" ref="30" springref="-4" actuatorfrcrange="-1 2" actuatorgravcomp="true"'
              ' solimplimit=".8 .9" margin="0.1" springyield="2"/><joint pos="1 0 0" springdamper="1 1"/><geom size=".1"/></body></worldbody>',
    "geoms": '<size nuser_geom="2"/><worldbody><geom type="plane" size="0 0 1"/><body><geom type="capsule" size=".1 .2 .3" friction="1 .5"/>'
             '<geom type="box" fromto="0 0 0 1 1 1" size=".1" rgba=".1 .2 .3 1" solref="-100 -10" condim="4" user="0 3"/>'
             '<geom type="ellipsoid" size=".1 .2 .3" fluidshape="ellipsoid" fluidcoef="1 2 3" surfacevel="1 2 3" adhesion="2" gap=".1"/>'
             '<geom type="cylinder" size=".1 .2" castshadow="false" priority="2" solmix=".3" contype="5" conaffinity="6"/></body></worldbody>',
    "sites cameras lights": '<asset><texture name="sky" type="skybox" builtin="flat" width="4"/></asset><worldbody><site type="box" size=".1 .2 .3"/>'
        '<camera name="fixed" pos="1 2 3" euler="1 2 3" fovy="30" ipd=".1" output="rgb depth segmentation"/><camera mode="targetbody" target="a"/>'
        '<camera sensorsize="0.01 0.02" resolution="640 480" focalpixel="300 310" principal="0.001 0.002"/>'
        '<camera projection="orthographic" fovy="3"/><light mode="targetbodycom" target="a" diffuse=".1 .2 .3" cutoff="30" type="point"/>'
        f'<light directional="true" dir="1 1 -1" castshadow="false" active="false" attenuation="1 2 3" range="7"/>{PLAIN}</worldbody>',
    "materials": '<asset><texture name="t" type="2d" builtin="checker" rgb1=".1 .2 .3" width="8" height="8" mark="random" random=".3"/>'
        '<texture name="c" type="cube" builtin="gradient" width="4"/><material name="m" texture="t" texrepeat="3 4" specular=".1" rgba=".3 .3 .3 1"/>'
        '<material name="n" metallic=".1" roughness=".7" emission=".3" texuniform="true"/></asset>'
        '<worldbody><geom size=".1" material="m"/><site material="n"/></worldbody>',
    "mocap and gravcomp": '<option><flag sleep="enable"/></option><worldbody><body name="m" mocap="true" pos="1 2 3" euler="1 2 3"/>'
        '<body gravcomp=".5" sleep="never"><freejoint/><geom size=".1"/></body><body sleep="allowed"><joint/><geom size=".1"/></body>'
        '<body simple="false"><freejoint/><geom size=".1"/></body></worldbody><keyframe><key mpos="3 2 1"/></keyframe>',
    "contact": f'<worldbody>{WITH_H}</worldbody><contact>'
        '<pair geom1="g" geom2="h" friction=".1 .2" solref=".1 1" solreffriction=".2 1" condim="6" margin=".1" gap=".01" adhesion="1"/>'
        '<exclude name="e" body1="b" body2="a"/><exclude body1="a" body2="world"/></contact>',
    "fixed tendons": '<default><tendon width=".1" rgba="1 0 0 1"/></default><worldbody>' + BODY.format('<joint name="k" type="slide"/>') +
        '</worldbody><tendon><fixed name="f" range="0 3" stiffness="1 2" damping=".1 .2 .3" springlength="1 2" frictionloss=".1"><joint joint="j" coef="2"/>'
        '<joint joint="k" coef="-.3"/></fixed><fixed armature=".1" limited="false" range="1 2" actuatorfrcrange="-1 1"><joint joint="k" coef="1"/></fixed></tendon>',
    "equality": f'<worldbody>{WITH_B}</worldbody>'
        '<equality><connect body1="a" body2="b" anchor="1 2 3"/><connect name="c" body1="a" anchor="1 2 3" active="false" solref="-1 -2"/>'
        '<weld body1="a" body2="b" torquescale="3"/><weld body1="a" relpose="1 2 3 0 2 0 0" anchor="3 2 1"/><weld site1="s" site2="r" solimp=".5 .6"/>'
        '<connect site1="s" site2="r"/><joint joint1="j" polycoef="1 2"/><joint joint1="j" joint2="k" polycoef="0 1 .5"/></equality>',
    "actuators": f'<worldbody>{PLAIN}</worldbody><actuator><motor joint="j" ctrlrange="-1 1" gear="3"/><position joint="j" kp="3" dampratio="1"/>'
        '<position joint="j" kp="3" kv=".1" timeconst=".2" inheritrange=".9" forcerange="-1 2"/><velocity joint="j" kv="3" user="1 2" group="3"/>'
        '<intvelocity joint="j" kp="3" actrange="-1 1"/><cylinder joint="j" area="2" bias="1 2 3"/><damper joint="j" kv="2" ctrlrange="0 2"/>'
        '<muscle joint="j" lengthrange="-1 1" force="30"/><general joint="j" gaintype="affine" gainprm="1 2 3" biastype="affine" biasprm="3"/>'
        '<general joint="j" dyntype="filter" dynprm=".3" actlimited="true" actrange="0 2" actearly="true"/><motor jointinparent="j" armature=".1"/></actuator>',
    "servos": f'<worldbody>{BODY.format("<body name=&b&><joint name=&k& type=&ball&/><geom size=&.1&/><site name=&r&/></body>").replace("&", chr(34))}</worldbody>'
        '<actuator><pid joint="j" kp="3" ki="2" kv=".1" imax="3" slewmax="2"/><pid joint="j" input="vel ff" velrange="-1 1"/>'
        '<pid joint="j" input="pos vel ff" velrange="-1 1" ffrange="-2 2" ctrlrange="-3 3"/><dcmotor joint="j" motorconst=".1" resistance="1"/>'
        '<dcmotor joint="j" motorconst=".1" resistance="1" inductance=".1" cogging="1 2 3" input="pos vel" ctrlrange="-1 1" controller="1 2 3"'
        ' saturation="1 2 3" thermal="1 2 3 4 5 6" lugre="1 2 3 4 5"/><orientation joint="k" kp="2" input="quat" kv="1"/>'
        '<orientation site="s" refsite="r" kp="2" dampratio="1" forcerange="0 1"/><motor site="s" refsite="r" gear="1 2 3 4 5 6"/>'
        '<motor cranksite="s" slidersite="r" cranklength="2"/><adhesion body="b" ctrlrange="0 1"/>'
        '<motor joint="j" nsample="4" delay="0.01" interp="cubic"/></actuator><sensor><jointpos joint="j" nsample="3" interval="0.1 0" delay=".02"/></sensor>',
    "spatial tendons": '<worldbody><site name="s"/><geom name="w" size=".1" pos="0 0 1"/><geom name="c" type="cylinder" size=".1 .2" pos="0 0 2"/>'
        '<body pos="0 0 3"><joint name="j" axis="0 1 0"/><geom size=".1"/><site name="r" pos="1 0 0"/><site name="side" pos="0 .2 0"/></body></worldbody>'
        '<tendon><spatial name="t" range="0 9" width=".02" rgba="1 0 0 1" stiffness="3"><site site="s"/><geom geom="w" sidesite="side"/><site site="r"/>'
        '<pulley divisor="2"/><site site="r"/><geom geom="c"/><site site="s"/></spatial></tendon><actuator><muscle tendon="t"/></actuator>',
    "sensors": f'<size nuser_sensor="2"/><worldbody>{WITH_CAMERA}</worldbody><actuator><motor name="m" joint="j"/></actuator>'
        '<sensor><touch site="s" cutoff="3"/><gyro name="g" site="s" noise=".1" user="1 2"/><jointpos joint="j"/><actuatorfrc actuator="m"/>'
        '<framepos objtype="body" objname="a"/><framequat objtype="site" objname="s" reftype="camera" refname="c"/><subtreecom body="a"/>'
        '<jointlimitfrc joint="j"/><camprojection site="s" camera="c"/><rangefinder site="s" data="dist normal"/><clock/><jointactuatorfrc joint="j"/>'
        '<contact geom1="g" data="found force pos" num="3" reduce="mindist"/><contact subtree1="a" body2="world"/><contact site="s"/>'
        '<insidesite site="s" objtype="geom" objname="g"/><user dim="3" datatype="axis" needstage="pos"/></sensor>',
    "custom and keys": f'<size nkey="4"/><worldbody>{PLAIN}</worldbody><actuator><intvelocity joint="j" actrange="0 1"/></actuator><custom>'
        '<numeric name="n" data="1 2.5 -3"/><numeric name="z" size="4" data="1"/><text name="t" data="a &lt;b&gt; &quot;c&quot;&#10;d"/>'
        '<tuple name="u"><element objtype="body" objname="a" prm="2"/><element objtype="text" objname="t"/></tuple></custom>'
        '<keyframe><key name="k" qpos="0.1" time="3"/><key act=".5" ctrl=".7" qvel="2"/></keyframe>',
}


@pytest.mark.parametrize("name", SNIPPETS)
def test_elements_come_back_as_they_were(name):
    assert differences(f'<mujoco model="{name}">{SNIPPETS[name]}</mujoco>') == {}


def test_what_needs_no_report_is_not_reported():
    text = physics.to_mjcf(physics.load_string('<mujoco model="m"><worldbody><body name="b"><freejoint/><geom name="g" size="0.1"/></body></worldbody></mujoco>'))
    assert text.splitlines()[0] == '<mujoco model="m">'
    assert '<geom name="g" size="0.1"/>' in text and "<freejoint/>" in text and "<default" not in text and "<option" not in text


def test_changes_made_while_it_ran_are_written():
    text = '<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/></body></worldbody><actuator><motor joint="j"/></actuator>' \
           '<equality><joint joint1="j"/></equality><keyframe><key/></keyframe></mujoco>'
    m = physics.load_string(text)
    m.opt.timestep, m.opt.gravity[2], m.geom_rgba[0], m.body_mass[1] = 0.005, -3.5, [0.1, 0.2, 0.3, 0.4], 7.25
    m.actuator_gainprm[0, 0], m.eq_active0[0], m.key_qpos[0, 0], m.dof_damping[0], m.qpos0[0] = 12.5, False, 0.3, 0.7, 0.1
    m.opt.disableflags, m.opt.solver, m.stat.extent, m.vis.map.znear, m.jnt_range[0] = 16, 1, 9.0, 0.05, [-1, 2]
    m.jnt_limited[0], m.body_gravcomp[1], m.stat.meaninertia = True, 0.5, 3.0
    again = physics.load_string(physics.to_mjcf(m))
    for field in ("opt_timestep", "opt_gravity", "geom_rgba", "body_mass", "actuator_gainprm", "eq_active0", "key_qpos", "dof_damping", "qpos0",
                  "opt_disableflags", "opt_solver", "stat_extent", "jnt_range", "jnt_limited", "body_gravcomp", "stat_meaninertia"):
        assert np.array_equal(getattr(m, field), getattr(again, field)), field
    assert again.vis.map.znear == pytest.approx(0.05)


def test_elements_without_a_name_get_one_where_something_refers_to_them():
    m = physics.load_string('<mujoco><worldbody><body name="body_2"/><body><joint/><geom size=".1"/></body><camera/></worldbody></mujoco>')
    m.cam_targetbodyid[0], m.cam_mode[0] = 2, 3
    again = physics.load_string(physics.to_mjcf(m))
    assert again.cam_targetbodyid[0] == 2 and again.names["body"] == ("world", "body_2", "body_2_")


def test_what_the_text_cannot_keep_is_listed(tmp_path):
    m = physics.load_string('<mujoco><worldbody><body name="b"><joint name="ball" type="ball"/><geom size=".1"/></body>'
                            '<body name="f"><freejoint/><geom size=".1"/></body></worldbody></mujoco>')
    assert physics.save(m, tmp_path / "plain.xml") == ()
    m.dof_damping[1], m.qpos_spring[0], m.body_pos[2, 0] = 1.0, 0.5, 4.0
    warnings = physics.save(m, tmp_path / "m.xml")
    assert len(warnings) == 3 and "dof_damping" in warnings[1] and "ball" in warnings[1] and "qpos_spring" in warnings[2] and "body 'f'" not in warnings[1]


def test_numbers_are_the_shortest_that_read_back_the_same():
    from physics.writer.rows import listing, single

    rng = np.random.default_rng(3)
    bits = rng.integers(0, 2**32, 3000, dtype=np.uint32).view(np.float32)
    for value in (*bits[np.isfinite(bits)], np.float32(0.1), np.float32(1e-30), np.float32(16777216)):
        assert np.float32(float(single(value))) == value
    assert listing(np.float32([0.1, 2, 0.25])) == "0.1 2 0.25" and listing([1 / 3, -0.0, 1e300]) == "0.3333333333333333 -0 1e+300"


def test_saving_leaves_the_old_file_when_it_fails(tmp_path, monkeypatch):
    path = tmp_path / "m.xml"
    path.write_text("old")
    m = physics.load_string("<mujoco/>")
    monkeypatch.setattr("os.replace", lambda *_a: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        physics.save(m, path)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_solver_variants_are_written_as_they_are():
    text = '<mujoco><custom><text name="linkwork_solver" data="polak-ribiere"/></custom></mujoco>'
    for source, variant in (("<mujoco/>", 0), ("<mujoco/>", 3), (text, 1), (text, 2)):
        m = physics.load_string(source)
        assert m.flg_variant == (source == text)
        m.flg_variant = variant
        assert physics.load_string(physics.to_mjcf(m)).flg_variant == variant
    with pytest.raises(physics.ModelError, match="no solver variant 'fast'.*one of polak-ribiere, row-order"):
        physics.load_string(text.replace("polak-ribiere", "row-order fast"))
