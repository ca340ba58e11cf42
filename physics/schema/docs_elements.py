"""One line on each MJCF element, in our own words. Key: table path | text."""

ELEMENTS = """\
mujoco | the model: everything else stands inside it
worldbody | the fixed world; bodies in it are the roots of the kinematic trees
compiler | how the text is turned into a model: units, search folders, inertia rules
compiler/lengthrange | how the reachable lengths of actuators are found
option | physics settings: time step, solver, gravity, medium
option/flag | parts of the physics switched on or off
size | storage sizes and lengths of user data
statistic | overrides of the model statistics that scale the view and the mouse force
visual | settings of the picture
visual/global | camera start, window and general drawing settings
visual/quality | resolution of shadows, curved shapes and offscreen sampling
visual/headlight | the light that moves with the camera
visual/map | factors between physical quantities and what is drawn or felt
visual/scale | sizes of drawn decorations, relative to the mean body size
visual/rgba | colours of drawn decorations
default | a default class: settings that elements of the class start from
extension | plugins the model needs
extension/plugin | a plugin to load
extension/plugin/instance | a named instance of a plugin
asset | things used by reference: textures, materials, meshes, height fields
asset/mesh | a triangle mesh, from a file, from vertices or built in
asset/hfield | a height field: elevations on a grid
asset/skin | a deformable skin over bones, drawn only
asset/skin/bone | a bone of a skin: a body and the vertices it pulls
asset/texture | an image: from a file or made by a pattern
asset/material | how a surface looks
asset/material/layer | one texture of a material and its role
asset/model | another model file, to attach parts of
body | a rigid body; its children hang on it
body/inertial | mass and inertia, where they do not come from the geoms
body/joint | a freedom of the body relative to its parent
body/freejoint | all six freedoms, without any default settings
body/geom | a shape: collides, is drawn, gives mass
body/site | a marked point: no mass, no collision; sensors and tendons refer to it
body/camera | a viewpoint
body/light | a light source
body/plugin | a plugin acting on the body
body/geom/plugin | a plugin giving the geom its shape
body/attach | puts a part of another model here
body/frame | moves everything inside it by one pose
body/replicate | repeats everything inside it
body/flexcomp | makes a flexible object with its bodies
body/flexcomp/edge | elasticity along the edges of the flexible object
body/flexcomp/elasticity | continuum elasticity of the flexible object
body/flexcomp/contact | contact settings of the flexible object
body/flexcomp/pin | points of the flexible object that do not move
deformable | flexible objects and skins written out
deformable/flex | a flexible object over existing bodies
deformable/flex/contact | contact settings of the flexible object
deformable/flex/edge | elasticity along edges
deformable/flex/elasticity | continuum elasticity
deformable/skin | a deformable skin over bones, drawn only
deformable/skin/bone | a bone of a skin: a body and the vertices it pulls
contact | rules on which geoms may collide
contact/pair | two geoms that always collide, with their own settings
contact/exclude | two bodies whose geoms never collide
tendon | lengths that couple joints or run through points
tendon/spatial | a string through sites and around geoms
tendon/spatial/site | a point the string passes
tendon/spatial/geom | a sphere or cylinder the string wraps around
tendon/spatial/pulley | divides the string into branches
tendon/fixed | a weighted sum of joint positions
tendon/fixed/joint | a joint of the sum and its weight
equality | constraints that hold things together
equality/connect | two bodies share a point: a ball joint outside the tree
equality/weld | two bodies keep their relative pose
equality/joint | a joint follows a polynomial of another joint
equality/tendon | a tendon's length follows a polynomial of another's
equality/flex | keeps the edge lengths of a flexible object
equality/flexstrain | keeps the strain of a flexible object
actuator | what drives the model by its controls
actuator/general | an actuator with every part given explicitly
actuator/motor | control is the force or torque
actuator/position | control is the wanted position: a spring with gain kp
actuator/velocity | control is the wanted velocity: a damper with gain kv
actuator/intvelocity | control is a velocity, integrated into the wanted position
actuator/orientation | control is the wanted orientation of a ball joint or site
actuator/pid | position, integral and velocity feedback
actuator/damper | control is a damping coefficient
actuator/cylinder | a pneumatic or hydraulic cylinder
actuator/muscle | a muscle with activation and force-length-velocity curves
actuator/adhesion | control is a force pulling contacts together
actuator/dcmotor | a direct-current motor with its electrical side
actuator/plugin | an actuator made by a plugin
sensor | quantities measured after each step
sensor/touch | sum of contact forces inside a site
sensor/accelerometer | linear acceleration with gravity, in the site's frame
sensor/velocimeter | linear velocity in the site's frame
sensor/gyro | angular velocity in the site's frame
sensor/force | force between the site's body and its parent
sensor/torque | torque between the site's body and its parent
sensor/magnetometer | magnetic field in the site's frame
sensor/camprojection | pixel where a site appears in a camera
sensor/rangefinder | distance to the nearest surface along a ray
sensor/jointpos | position of a hinge or slide
sensor/jointvel | velocity of a hinge or slide
sensor/tendonpos | length of a tendon
sensor/tendonvel | rate of a tendon's length
sensor/actuatorpos | length of an actuator's transmission
sensor/actuatorvel | rate of an actuator's length
sensor/actuatorfrc | force of an actuator
sensor/jointactuatorfrc | force of all actuators on a joint
sensor/tendonactuatorfrc | force of all actuators on a tendon
sensor/ballquat | orientation of a ball joint
sensor/ballangvel | angular velocity of a ball joint
sensor/jointlimitpos | distance of a joint from its limit, less the margin
sensor/jointlimitvel | rate of that distance
sensor/jointlimitfrc | force of the limit
sensor/tendonlimitpos | distance of a tendon from its limit, less the margin
sensor/tendonlimitvel | rate of that distance
sensor/tendonlimitfrc | force of the limit
sensor/framepos | position of an object's frame
sensor/framequat | orientation of an object's frame
sensor/framexaxis | x axis of an object's frame
sensor/frameyaxis | y axis of an object's frame
sensor/framezaxis | z axis of an object's frame
sensor/framelinvel | linear velocity of an object's frame
sensor/frameangvel | angular velocity of an object's frame
sensor/framelinacc | linear acceleration of an object's frame
sensor/frameangacc | angular acceleration of an object's frame
sensor/subtreecom | centre of mass of a body with all below it
sensor/subtreelinvel | velocity of that centre of mass
sensor/subtreeangmom | angular momentum about that centre of mass
sensor/insidesite | 1 while an object is inside a site, else 0
sensor/distance | smallest distance between two geoms or bodies
sensor/normal | direction of that smallest distance
sensor/fromto | the two nearest points
sensor/contact | facts about contacts matching a choice of geoms, bodies or a site
sensor/e_potential | potential energy of the model
sensor/e_kinetic | kinetic energy of the model
sensor/clock | simulation time
sensor/tactile | contact pressure sampled over a mesh
sensor/user | a value filled in by a callback
sensor/plugin | a sensor made by a plugin
custom | numbers, texts and lists stored with the model
custom/numeric | a named array of numbers
custom/text | a named text
custom/tuple | a named list of model elements
custom/tuple/element | one element of the list
keyframe | stored states
keyframe/key | a stored state; what is left out is that of the start
include | another file whose contents stand in this place
"""
