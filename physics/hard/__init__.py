"""What the hard engine can tell besides moving a model: derivatives of a step by the implicit function theorem, maximal coordinates, the way to a solution.

Source: Howell, Le Cleac'h and others, "Dojo: A Differentiable Physics Engine for Robotics", arXiv 2203.00806.
"""

from physics.hard.gradients import Gradients, gradients



__all__ = ("Gradients", "Maximal", "Point", "Violations", "central_path", "gradients", "maximal_jacobian", "to_maximal", "to_minimal", "violations")
