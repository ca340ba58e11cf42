"""Tactile sensors: the triangles of their surface, coloured by pressure (red) and the two tangential readings (green, blue)."""
from __future__ import annotations

import numpy as np

from app.bridge.layers.connect import triangles
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.view_state import ViewState
from physics.enums import SENS_TACTILE
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.snapshot import Scene

UNTOUCHED_ALPHA = 0.1


def face_colours(reading: np.ndarray, face: np.ndarray) -> np.ndarray:
    """Colours (nface, 4) from readings (channel, vertex), relative to the largest pressure; a face takes the mean of its corners that feel anything."""
    felt = np.abs(reading[:3, face])
    mean = felt.sum(axis=2) / np.maximum((felt > 0).sum(axis=2), 1) / np.abs(reading[0]).max()
    rgba = np.zeros((len(face), 4))
    rgba[:, :len(mean)] = mean.T
    rgba[:, 3] = np.where(rgba[:, :3].any(axis=1), 1.0, UNTOUCHED_ALPHA)
    return rgba


def add_tactile(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Surfaces of the tactile sensors that feel something, shown with the contact points."""
    m = visuals.model
    if not options.flags["contact_point"] or not m.nsensor:
        return
    for i in np.flatnonzero(m.sensor_type == SENS_TACTILE).tolist():
        mesh, geom, start = int(m.sensor_objid[i]), int(m.sensor_refid[i]), int(m.sensor_adr[i])
        reading = snapshot.sensordata[start:start + int(m.sensor_dim[i])].reshape(-1, int(m.mesh_vertnum[mesh]))
        if not reading[0].any():
            continue
        first, first_face = int(m.mesh_vertadr[mesh]), int(m.mesh_faceadr[mesh])
        vertex = m.mesh_vert[first:first + int(m.mesh_vertnum[mesh])]
        face = m.mesh_face[first_face:first_face + int(m.mesh_facenum[mesh])]
        corners = (vertex @ snapshot.geom_xmat[geom].reshape(3, 3).T + snapshot.geom_xpos[geom])[face]
        triangles(out.geoms, corners, face_colours(reading, face), objtype=shapes.OBJ_SENSOR, objid=i, bodyid=m.geom_bodyid[geom])
