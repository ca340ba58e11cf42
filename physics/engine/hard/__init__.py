"""Hard contact: a variational integrator whose step is a nonlinear complementarity problem, solved by a primal-dual interior-point method.

    z, velocity  ->  forces  ->  rows of contacts  ->  [ residual -> matrix -> elimination -> direction -> fraction ]  ->  look again  ->  next z

The state is that of the soft engine: qpos, and qvel as the difference quotient of the step that led to it. Poses, momenta and contact geometry belong
to one step and lie in the fields hard_* (bodies, dofs), hlim_*, hfri_* (limits, dry friction) and hrow_* (contacts). In these the linear part of a twist
or wrench comes first, and the reference point of a body is its centre of mass.

Source: Howell, Le Cleac'h, Bruedigam, Chen, Sun, Kolter, Schwager, Manchester, "Dojo: A Differentiable Physics Engine for Robotics" (2022); the numbers of
equations in docstrings are those of the paper. Bruedigam and Manchester, "Linear-Time Variational Integrators in Maximal Coordinates" (2020).
"""
