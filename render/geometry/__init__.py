"""Unit meshes as plain arrays.

Every builder returns (vertices (n, 9) float32, triangles (m, 3) int32), counter-clockwise seen from outside. Columns:
position (3), normal (3), texture coordinate (2), cap (1). A vertex is placed at `position * scale + (0, 0, cap * half)`,
so one capsule serves all proportions without distorting its ends. Texture v = 0 is the image's first row.
"""
