"""Contacts of convex shapes by their support mappings: GJK for those that are apart, EPA for those that overlap.

Two shapes are loaded into the scratch fields ccd_* of Data, as shape 0 and shape 1 (`load_geom`, `load_prism`); then
`ccd_distance` finds how far apart they are. It leaves the unit normal from shape 0 to shape 1 in ccd_normal and the nearest
points in ccd_witness, all in the world, and tells which corners they belong to: ccd_simplex holds rows of ccd_vert
(-1: unused), ccd_vertid their vertices on both shapes: of a mesh counted from mesh_vertadr, of a box 1 for +x, 2 for +y, 4 for
+z, of a prism the row of ccd_prism, -1 on what is curved.

Spheres and capsules take part as a point and a segment; their radius is added at the end.

The search ends where nothing is left to gain: on flat shapes by itself, on curved ones in Newton steps (`refine_normal`). The options
ccd_tolerance and ccd_iterations, by which the official engine ends it sooner, are not needed for that; ccd_tolerance decides only
how deep a cylinder's rim must be for more than one point (`ccd.is_rim_contact`).
"""
