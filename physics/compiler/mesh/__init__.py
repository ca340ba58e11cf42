"""Meshes: sources, processing, convex hulls, bounding volume hierarchies, the cache on disk.

Official order. A model agrees with the official compiler's only where its vertices, hull edges, polygons and tree nodes stand in the same
order, and that order follows from the libraries the official compiler is built with. No library for Python gives these orders, so they are
computed here, found by trial on the official compiler and from the documentation of those libraries:

- hull vertices and edges (hull.py, native/hull_links.py, native/hull_polygons.py): the order of qhull's list of vertices, which SciPy's qhull,
  the same version, does not tell;
- polygons of a hull (hash_order.py): the walk over libc++'s std::unordered_map;
- nodes of a tree where centres are level or no numbers (median.py, native/median.py): the steps of libc++'s std::nth_element;
- random dots of a texture (../texture/mersenne_twister.py): the 64-bit Mersenne twister, std::mt19937_64;
- vertices of OBJ, STL and MSH files (../decode): as they stand in the file, rounded to single precision, faces cut as tinyobjloader cuts them.
"""
