"""The hulls of a model's meshes in an order of our own, for comparing.

qhull keeps the neighbours of a vertex, and sometimes the vertices, in the order in which its merging of facets left them; SciPy does not tell it.
The triangles come in the official order, so everything else is compared as it is. Here vertices and their neighbours are sorted, and a
farthest vertex stands as how far it reaches, as which of equals is taken hangs on that order.
"""
import numpy as np

DIRECTIONS = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)], np.float32)
FIELDS = ("mesh_graph", "mesh_extrema")


def sorted_hulls(model) -> dict:
    """mesh_graph and mesh_extrema of a model, ours or official: numbers of vertices and triangles, vertices, neighbours, triangles; reaches."""
    graphs, reaches = [], []
    for mesh in range(model.nmesh):
        start = int(model.mesh_graphadr[mesh])
        if start < 0:
            reaches.append(np.asarray(model.mesh_extrema)[mesh].astype(float))
            continue
        graph = np.asarray(model.mesh_graph)[start:]
        nvert, nface = (int(n) for n in graph[:2])
        address, vertex = graph[2:2 + nvert], graph[2 + nvert:2 + 2 * nvert]
        edge = graph[2 + 2 * nvert:2 + 3 * nvert + 3 * nface]
        around = [sorted(vertex[edge[a:a + int(np.flatnonzero(edge[a:] < 0)[0])]].tolist()) for a in address]
        order = np.argsort(vertex)
        graphs.append(np.concatenate([graph[:2], vertex[order], *([*around[k], -1] for k in order), graph[2 + 3 * nvert + 3 * nface:2 + 3 * nvert + 6 * nface]]))
        vert = np.asarray(model.mesh_vert)[model.mesh_vertadr[mesh]:][vertex[np.asarray(model.mesh_extrema)[mesh]]]
        reaches.append((vert * DIRECTIONS).sum(axis=1).astype(float))
    return {"mesh_graph": np.concatenate(graphs) if graphs else np.zeros(0), "mesh_extrema": np.array(reaches)}
