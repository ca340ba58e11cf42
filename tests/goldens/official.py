"""The official renderer's pictures of cases, all in one process of its own: `python official.py OUT.npz JOBS.json` (see shots)."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np


def job_of(case, m, d) -> dict:
    """What the process needs of a case; state as our engine has it."""
    import physics
    from app.bridge.options import FRAMES, GROUPS, LABELS, RENDER_FLAGS, VIS_FLAGS
    from render.scene.camera import FIXED, TRACKING
    from tests.goldens.case import camera_of, options_of, state_of

    camera, options, selection = camera_of(m, case), options_of(m, case), state_of(m, case).selection
    look = {'type': 2, 'fixedcamid': camera.fixedcamid} if camera.kind == FIXED else {
        'type': 0, 'lookat': list(map(float, camera.lookat)), 'distance': camera.distance, 'azimuth': camera.azimuth, 'elevation': camera.elevation}
    if camera.kind == TRACKING:
        look |= {'type': 1, 'trackbodyid': camera.trackbodyid}
    p = d.perturb_active and {'select': int(d.perturb_bodyid), 'active': int(d.perturb_active), 'localpos': d.perturb_localpos.tolist(), 'refpos': d.perturb_refpos.tolist(),
                              'refquat': d.perturb_refquat.tolist(), 'refselpos': d.perturb_refselpos.tolist()}
    selected = {'select': selection.bodyid, 'localpos': list(selection.localpos), 'skinselect': selection.skin} if selection.bodyid else {}
    state = {name: np.asarray(getattr(d, name)).tolist() for name in ('time', 'qpos', 'qvel', 'act', 'ctrl', 'mocap_pos', 'mocap_quat', 'xfrc_applied')}
    written = physics.to_mjcf(m) if case.compat != '4.0' else None      # in today's dialect
    return {'name': case.name, 'size': list(case.size), 'model': written or str(case.path or case.model), 'text': bool(written) or case.path is None,
            'camera': look, 'state': state,
            'visflags': [int(options.flags[f.name]) for f in VIS_FLAGS], 'flags': [int(options.render[f.name]) for f in RENDER_FLAGS],
            'label': LABELS.index(case.label), 'frame': FRAMES.index(case.frame), 'depth': case.depth, 'groups': {kind: list(map(int, options.group(kind))) for kind in GROUPS},
            'perturb': p or selected, 'visual': case.visual}


def shots(jobs: list[dict]) -> dict[str, np.ndarray]:
    """{name: picture} of jobs. Raises CalledProcessError where the process fails."""
    with tempfile.TemporaryDirectory() as folder:
        out, spec = Path(folder) / 'out.npz', Path(folder) / 'jobs.json'
        spec.write_text(json.dumps(jobs))
        subprocess.run([sys.executable, __file__, str(out), str(spec)], check=True, env={**os.environ, 'MUJOCO_GL': 'egl'})
        with np.load(out) as data:
            return {k: data[k] for k in data.files}


def _set(thing, values: dict) -> None:
    for name, value in values.items():
        if isinstance(value, list):
            getattr(thing, name)[:] = value
        else:
            setattr(thing, name, value)


def _option(job):
    import mujoco
    option = mujoco.MjvOption()
    option.flags[:] = job['visflags'][:len(option.flags)]
    option.label, option.frame, option.bvh_depth = job['label'], job['frame'], job['depth']
    for kind, on in job['groups'].items():
        getattr(option, kind + 'group')[:] = on
    return option


def _files() -> dict[str, bytes]:
    folder = Path(__file__).parent / 'models'
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.glob('*/*')}


def _shot(job) -> np.ndarray:
    import mujoco
    m = mujoco.MjModel.from_xml_string(job['model'], _files()) if job['text'] else mujoco.MjModel.from_xml_path(job['model'])
    for name, value in job['visual'].items():
        group, entry = name.split('.')
        _set(getattr(m.vis, group), {entry: value})
    d = mujoco.MjData(m)
    for name, values in job['state'].items():
        if name == 'time':
            d.time = values
        elif np.size(values):
            getattr(d, name)[:] = values
    mujoco.mj_forward(m, d)
    camera, perturb = mujoco.MjvCamera(), mujoco.MjvPerturb()
    mujoco.mjv_defaultFreeCamera(m, camera)
    _set(camera, job['camera'])
    _set(perturb, job['perturb'])
    with mujoco.Renderer(m, job['size'][1], job['size'][0]) as r:
        for _ in range(2):      # infinite planes lie under the camera of the time before
            mujoco.mjv_updateScene(m, d, _option(job), perturb, camera, mujoco.mjtCatBit.mjCAT_ALL, r.scene)
        r.scene.flags[:len(job['flags'])] = job['flags']
        return r.render().copy()


if __name__ == '__main__':
    np.savez_compressed(sys.argv[1], **{job['name']: _shot(job) for job in json.loads(Path(sys.argv[2]).read_text())})
