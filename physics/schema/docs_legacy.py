"""Words on what older versions had, in our own words. Keys and columns as in docs_elements.py and docs_attributes.py."""

LEGACY_ELEMENTS = """\
extension/required | old name of plugin
extension/required/instance | a named instance of a plugin
asset/material/rgb | old form of the layer for colour
asset/material/occlusion | old form of the layer for ambient shadow
asset/material/roughness | old form of the layer for roughness
asset/material/metallic | old form of the layer for metal
asset/material/normal | old form of the layer for the surface's bumps
asset/material/opacity | old form of the layer for opacity
asset/material/emissive | old form of the layer for glow
asset/material/rgba | old form of the layer for colour with opacity
asset/material/orm | old form of the layer for occlusion, roughness and metal
equality/distance | keeps two geoms at a distance
body/composite | many bodies made by one element: particles, a net, a rope, a cloth, a soft solid
body/composite/joint | settings of the joints of one kind that the composite makes
body/composite/tendon | settings of the tendons of one kind that the composite makes
body/composite/skin | asks for a skin over the composite
body/composite/geom | settings of the geoms the composite makes
body/composite/site | settings of the sites the composite makes
body/composite/pin | a place of the net that does not move
body/composite/plugin | a plugin acting on the composite's bodies
"""

LEGACY_ATTRIBUTES = """\
convexhull | | whether hulls of meshes were made
exactmeshinertia | | whether volumes of meshes were exact
inteval | s | old spelling of interval
apirate | Hz | rate of an interface that is gone
option@collision | | which pairs of geoms were looked at
mpr_iterations | | old name of ccd_iterations
mpr_tolerance | | old name of ccd_tolerance
passive | | springs and dampers together
sensornoise | | whether noise was added to sensors
actuatorforcelimited | | old name of actuatorfrclimited
actuatorforcerange | N or Nm | old name of actuatorfrcrange
equality/distance@distance | m | distance kept between the geoms
body/composite@prefix | | text put before every name the composite makes
body/composite@type | | which shape the bodies form
body/composite@count | | number of bodies along x, y and z
body/composite@spacing | m | distance between neighbours
body/composite@offset | m | place of the composite in its parent's frame
body/composite@quat | | turn of a cable's curve
flatinertia | | thickness of a cloth's bodies, as a share of spacing; 0 leaves the geoms' inertia
solrefsmooth | s | reference of the constraints between neighbours
solimpsmooth | | impedance of the constraints between neighbours
body/composite@vertex | m | points a cable runs through
initial | | how the first body of a cable is fixed to its parent
curve | | shape of a cable along x, y and z as functions of its arc
body/composite@size | m | length, radius and number of half turns of a cable's curve
body/composite/joint@kind | | which of the composite's joints are meant
body/composite/tendon@kind | | which of the composite's tendons are meant
solreffix | s | reference of the constraint that holds the joint or tendon
solimpfix | | impedance of the constraint that holds the joint or tendon
body/composite/tendon@width | m | radius of the drawn tendon
body/composite/geom@density | kg/m3 | density of the geoms
body/composite/skin@texcoord | | whether the skin has texture coordinates
body/composite/skin@subgrid | | number of skin points between neighbours
coord | | place in the net, counted from 0
"""
