"""What bodies may look like: every geom type, hulls, sites, groups, endless planes."""
from tests.goldens.case import Case

MODEL = 'shapes.xml'
CASES = (
    Case('shapes', MODEL, 'sphere, capsule, ellipsoid, cylinder, box; facetted, notched and smooth mesh, height field; finite planes; sites of every type'),
    Case('shapes_hull', MODEL, 'hulls: the notch is filled, the torus is a disc', toggle=('Convex Hull',)),
)
