"""Sensors of the distance between geoms: the least signed distance, its direction, and the segment that it is the length of.

Source: MuJoCo documentation, XML reference, sensor/distance, sensor/normal, sensor/fromto.
"""
from __future__ import annotations

from math import nan

from physics.engine.collide.distance import NOTHING, geom_distance, no_room_for
from physics.engine.linalg.vec import dot3, sub3, unit3
from physics.engine.sensor.output import fill, put3
from physics.enums import OBJ_BODY, SENS_GEOMDIST, SENS_GEOMNORMAL
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld6


@helper
def geoms_of(m, kind, k):
    """(first geom, number of geoms) of a body or geom."""
    if kind == OBJ_BODY:
        return m.body_geomadr[k], m.body_geomnum[k]
    return k, 1


@kernel("m d i")
def read_distance(m, d, i):
    """Read distance, normal or fromto sensor i; asks for room where contacts fill theirs."""
    first1, n1 = geoms_of(m, m.sensor_objtype[i], m.sensor_objid[i])
    first2, n2 = geoms_of(m, m.sensor_reftype[i], m.sensor_refid[i])
    # the nearest pair of geoms of both objects, and the segment between their nearest points
    best = m.sensor_cutoff[i]
    ends = NOTHING
    for g1 in range(first1, first1 + n1):
        for g2 in range(first2, first2 + n2):
            if no_room_for(m, d, g1, g2):
                fill(m, d, i, nan)
                return
            dist = geom_distance(m, d, g1, g2, m.sensor_cutoff[i])
            if dist < best:
                best = dist
                ends = ld6(d.sens_fromto, 0)
    # distance, unit normal from the first object to the second, or both ends of that segment
    a = m.sensor_adr[i]
    p = (ends[0], ends[1], ends[2])
    q = (ends[3], ends[4], ends[5])
    if m.sensor_type[i] == SENS_GEOMDIST:
        d.sensordata[a] = best
    elif m.sensor_type[i] == SENS_GEOMNORMAL:
        n = sub3(q, p)
        if dot3(n, n) > 0.0:
            n = unit3(n)
        put3(d, a, n)
    else:
        put3(d, a, p)
        put3(d, a + 3, q)
