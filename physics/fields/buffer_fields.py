"""What kernels see that work on arrays of their own: those an asset is made from and into, rays, notes. A table; see layout.py for how to read it.

The arrays are lent by whoever calls the kernel (physics/model/kernel_buffers.py); sizes say what their rows are, nothing is allocated from them.
"""
from physics.fields.field_row import Row

ASSET_SCALARS = (
    Row("nleft", "i", "", "", "what a kernel could not do and leaves to its caller: a count, 0 for nothing"),
)

ASSET_ARRAYS = (
    Row("draw_state", "i8", "312", "", "state of the 64-bit Mersenne twister"),
    Row("tex_rgb", "u1", "npixel 3", "", "pixels of a texture being painted"),
    Row("tex_ends", "f8", "2 3", "", "the two colours of a gradient, 0 to 1"),
    Row("tex_place", "f8", "n", "", "where the columns of a gradient lie, -1 to 1"),
    Row("tex_slope", "f8", "n", "", "1 / sqrt(1 + place^2)"),
    Row("tex_height", "f8", "n 2", "", "heights of a gradient's step by the tangent over the horizon, and from the zenith"),
    # pictures
    # mesh files
    Row("text_bytes", "u1", "n", "", "a file's bytes"),
    Row("text_count", "i8", "5", "", "how many lines of each kind there are"),
    Row("text_half", "f4", "2", "", "room to round numbers in"),
    Row("text_vert", "f4", "n 3", "", "vertices as they are read"),
    Row("text_texcoord", "f4", "n 2", "", "texture coordinates as they are read"),
    Row("text_normal", "f4", "n 3", "", "normals as they are read"),
    Row("text_word", "i4", "n 3", "", "the bits of vertices"),
    Row("text_slot", "i4", "n", "", "a table of vertices by their place"),
    Row("text_face", "i4", "n", "", "how many corners each face has"),
    Row("text_corner", "i4", "n", "", "the vertex of each corner of a face"),
    Row("text_place", "i4", "n", "", "the texture coordinate of each corner of a face, -1 for none"),
    Row("text_shade", "i4", "n", "", "the normal of each corner of a face, -1 for none"),
    # trees of boxes
    Row("tri_face", "i4", "ntri 3", "", "corners of the triangles of a mesh"),
    Row("tri_point", "f8", "3 npoint", "", "points of a mesh: all x, all y, all z"),
    Row("tree_centre", "f8", "nelement 3", "", "what elements of a tree are split by"),
    Row("tree_box", "f8", "nelement 8", "", "lower corner of an element's box, one unused, negated upper corner, one unused"),
    Row("tree_key", "f8", "nelement", "", "centres along an axis, in the order of tree_item"),
    Row("tree_item", "i8", "nelement", "", "elements, those of a node one after the other"),
    Row("tree_wrong", "i4", "nelement 2", "", "places to be swapped"),
    Row("tree_later", "i8", "64 3", "", "parts of a tree still to grow: first place, how many, level"),
    Row("node_child", "i4", "nnode 2", "", "nodes below a node of a tree, -1 for none"),
    Row("node_depth", "i4", "nnode", "", "levels above a node"),
    Row("node_id", "i4", "nnode", "", "element of a leaf, else -1"),
    Row("node_box", "f8", "nnode 6", "", "middle and half sides of a node's box"),
    # hulls
    Row("hull_point", "f8", "3 npoint", "m", "points, coordinates first"),
    Row("hull_facet", "i4", "nfacet 3", "", "triangles as qhull gives them, each corner a point"),
    Row("hull_across", "i4", "nfacet 3", "", "the triangle across from each corner"),
    Row("hull_plane", "f8", "nfacet 4", "*", "the plane of each triangle: outward normal, offset"),
    Row("hull_planebits", "i8", "nfacet 4", "", "the same memory, as whole numbers"),
    Row("hull_vertex", "i4", "nvertex", "", "the hull's vertices, as points"),
    Row("hull_face", "i4", "nfacet 3", "", "the triangles turned outwards"),
    Row("hull_edgeadr", "i4", "nvertex", "", "where each vertex's neighbours begin"),
    Row("hull_edge", "i4", "nedge", "", "neighbours as places in hull_vertex, -1 after each vertex's last"),
    Row("hull_work", "i4", "nwork", "", "memory that a kernel of hulls may use"),
    Row("hull_place", "f4", "npoint 3", "m", "points, one after the other"),
    Row("hull_extreme", "i4", "27", "", "the farthest vertex along each of 27 directions, as a place in hull_vertex"),
    Row("hull_single", "f4", "1", "", "a number to be rounded to single precision"),
    Row("poly_vert", "i4", "ncorner", "", "corners of polygons, as points"),
    Row("poly_size", "i4", "npoly", "", "how many corners each polygon has"),
    Row("poly_map", "i4", "ncorner", "", "the polygons at each point"),
    Row("poly_count", "i4", "npoint", "", "how many polygons are at each point"),
    Row("poly_normal", "f8", "npoly 3", "", "unit normals of polygons"),
    # surfaces of meshes
    Row("tri_normal", "f8", "ntri 4", "", "unit normals of triangles and their lengths before"),
    Row("shade_sum", "f4", "npoint 3", "", "sums of normals at vertices, at last their unit normals"),
    Row("shade_mean", "f8", "npoint 3", "", "directions of these sums"),
    Row("shade_less", "f4", "npoint 3", "", "what triangles at sharp edges have added to them"),
    Row("tri_hull", "i4", "ntri 3", "", "triangles of a mesh's hull"),
    Row("tri_corner", "f8", "3 npoint", "", "points of a mesh in its frame: all x, all y, all z"),
    Row("mesh_plan", "f8", "12", "", "how normals are turned and scaled: a matrix, a scale"),
    Row("mesh_frame", "f8", "17", "", "where a mesh's mass lies: pos, volume, quat, box, low, high"),
    Row("mesh_point", "f4", "npoint 3", "", "points of a mesh in its frame"),
    Row("mesh_shade", "f4", "nnormal 3", "", "normals of a mesh"),
    Row("mesh_turned", "f4", "nnormal 3", "", "normals of a mesh in its frame"),
    Row("tree_count", "i8", "ntree", "", "elements of each tree"),
    # rays
    Row("ray_point", "f8", "nray 3", "m", "where rays start"),
    Row("ray_vec", "f8", "nray 3", "", "where they point"),
    Row("ray_dist", "f8", "nray", "", "multiple of ray_vec at which each meets a geom, -1: none"),
    Row("ray_geom", "i4", "nray", "", "the geom, -1: none"),
    Row("ray_normal", "f8", "nray 3", "", "outer unit normal there"),
    # what the user's functions have written
    Row("write_at", "i8", "12", "", "how many fields, where entries lie, what there is and what there is room for (physics/engine/user_writes.py)"),
    Row("write_field", "i8", "nfield 4", "", "kind, address, count and place of each field that may be written"),
    Row("write_held", "i8", "n", "", "bits of the numbers that are held"),
    Row("write_note", "i8", "nnote 3", "", "step, how many from there on, and the fields that were written before each of them"),
    Row("write_number", "i8", "n", "", "bits of what was written, one note after the other"),
)
