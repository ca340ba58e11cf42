"""Height fields as triangles, and coarser ones of fewer points."""
import numpy as np

from render.geometry.height_field import LEVELS_PER_OCTAVE, coarser, surface


def points(rows, columns):
    x, y = np.meshgrid(np.linspace(-2, 2, columns), np.linspace(-1, 1, rows))
    return np.dstack([x, y, 0.3 + 0.2 * np.sin(3 * x) * np.cos(4 * y)])


def volume(vertex, face):
    """What a closed mesh holds, positive if its triangles face outwards."""
    a, b, c = (vertex[face[:, k]].astype(float) for k in range(3))
    return (a * np.cross(b, c)).sum() / 6


def test_the_surface_is_closed_and_faces_outwards():
    vertex, face = surface(points(9, 17), -0.1)
    edges = np.sort(np.concatenate([vertex[face[:, [0, 1]]], vertex[face[:, [1, 2]]], vertex[face[:, [2, 0]]]]).round(5), axis=1)
    assert 0.35 * 8 < volume(vertex, face) < 0.45 * 8
    _, count = np.unique(edges.reshape(len(edges), -1), axis=0, return_counts=True)
    long = 2 * (8 + 16)     # the bottom is two triangles, whose sides are as long as the field
    assert (count == 1).sum() <= long + 4


def test_coarser_fields_keep_their_rim_and_their_heights():
    fine = surface(points(65, 129), -0.1)
    vertex, face = coarser(fine[0], (65, 129), 2 * LEVELS_PER_OCTAVE)
    assert len(face) < len(fine[1]) / 12
    assert np.array_equal(vertex.min(0), fine[0].min(0)) and np.array_equal(vertex.max(0)[:2], fine[0].max(0)[:2])
    known = {tuple(place) for place in fine[0].tolist()}
    assert all(tuple(place) in known for place in vertex.tolist())
    assert abs(volume(vertex, face) / volume(*fine) - 1) < 0.01


def test_a_level_more_takes_a_step_and_the_smallest_fields_stay():
    fine = surface(points(65, 65), -0.1)
    counts = [len(coarser(fine[0], (65, 65), level)[1]) for level in range(6)]
    assert counts[0] == len(fine[1]) and all(a > b for a, b in zip(counts, counts[1:]))
    small = surface(points(2, 2), 0.0)
    assert np.array_equal(coarser(small[0], (2, 2), 12)[0], small[0])
