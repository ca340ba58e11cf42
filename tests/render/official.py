"""Pictures by the official renderer, in a process of its own (its GL and ours never meet).

Run as a program: official.py OUT.npz JOB.json with {xml | path, width, height, camera (dict), flags (dict), key, qpos, what, visflags (dict), frame, bvh_depth,
cameras (list of dicts: depth_K and seg_K of each in place of rgb, depth, seg), global_ (dict)}.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np


def shot(**job):
    """Dict of arrays rgb, depth, seg as asked in job['what']."""
    with tempfile.TemporaryDirectory() as folder:
        out, spec = Path(folder) / 'out.npz', Path(folder) / 'job.json'
        spec.write_text(json.dumps(job))
        subprocess.run([sys.executable, __file__, str(out), str(spec)], check=True, env={**os.environ, 'MUJOCO_GL': 'egl'}, timeout=120)
        with np.load(out) as data:
            return {k: data[k] for k in data.files}


def load(job):
    """(model, data) of a job."""
    import mujoco
    m = mujoco.MjModel.from_xml_path(job['path']) if 'path' in job else mujoco.MjModel.from_xml_string(job['xml'])
    d = mujoco.MjData(m)
    if 'key' in job:
        mujoco.mj_resetDataKeyframe(m, d, job['key'])
    if job.get('qpos'):
        d.qpos[:] = job['qpos']
    mujoco.mj_forward(m, d)
    return m, d


def camera_of(m, job):
    """mjvCamera of a job: the default free camera with overrides, or a fixed one."""
    import mujoco
    cam = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(m, cam)
    for k, v in job.get('camera', {}).items():
        if k == 'lookat':
            cam.lookat[:] = v
        else:
            setattr(cam, k, v)
    return cam


def options_of(job):
    """mjvOption of a job."""
    import mujoco
    opt = mujoco.MjvOption()
    for k, v in job.get('visflags', {}).items():
        opt.flags[int(k)] = v
    opt.frame, opt.bvh_depth = job.get('frame', 0), job.get('bvh_depth', 1)
    return opt


def _views(m, d, job):
    """depth_K and seg_K of every camera of a job."""
    import mujoco
    result = {}
    with mujoco.Renderer(m, job['height'], job['width']) as r:
        for k, camera in enumerate(job['cameras']):
            cam = camera_of(m, {'camera': camera})
            r.update_scene(d, cam, options_of(job))
            r.enable_depth_rendering()
            result[f'depth_{k}'] = r.render().copy()
            r.disable_depth_rendering()
            r.enable_segmentation_rendering()
            result[f'seg_{k}'] = r.render().copy()
            r.disable_segmentation_rendering()
    return result


def _main(out, spec):
    import mujoco
    job = json.loads(Path(spec).read_text())
    m, d = load(job)
    m.vis.global_.offwidth, m.vis.global_.offheight = max(job['width'], 640), max(job['height'], 480)
    if 'shadowsize' in job:
        m.vis.quality.shadowsize = job['shadowsize']
    for k, v in job.get('global_', {}).items():
        setattr(m.vis.global_, k, v)
    result = {}
    if 'cameras' in job:
        np.savez(out, **_views(m, d, job))
        return
    with mujoco.Renderer(m, job['height'], job['width']) as r:
        cam, opt = camera_of(m, job), options_of(job)
        r.update_scene(d, cam, opt)
        r.update_scene(d, cam, opt)     # infinite planes lie under the camera of the time before
        for k, v in job.get('flags', {}).items():
            r.scene.flags[int(k)] = v
        what = job.get('what', ['rgb'])
        if 'rgb' in what:
            result['rgb'] = r.render().copy()
        if 'time' in job:
            import time
            best = 1e9
            for _ in range(job['time']):
                t = time.process_time()
                r.update_scene(d, cam, opt)
                r.render()
                best = min(best, time.process_time() - t)
            result['ms'] = 1e3 * best
        if 'depth' in what:
            r.enable_depth_rendering()
            result['depth'] = r.render().copy()
            r.disable_depth_rendering()
        if 'seg' in what:
            r.enable_segmentation_rendering()
            result['seg'] = r.render().copy()
    np.savez(out, **result)


if __name__ == '__main__':
    _main(*sys.argv[1:])
