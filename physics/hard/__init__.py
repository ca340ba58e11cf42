"""What the hard engine can tell besides moving a model: derivatives of a step by the implicit function theorem, maximal coordinates, the way to a solution.

Source: Howell, Le Cleac'h and others, "Dojo: A Differentiable Physics Engine for Robotics", arXiv 2203.00806.
"""
from physics.hard.central_path import Point, central_path
from physics.hard.gradients import PARAMETERS, Gradients, Scratch, gradients
from physics.hard.maximal import Maximal, maximal_jacobian, to_maximal, to_minimal
from physics.hard.violations import Violations, violations

__all__ = ("PARAMETERS", "Gradients", "Maximal", "Point", "Scratch", "Violations", "central_path", "gradients", "maximal_jacobian", "to_maximal", "to_minimal", "violations")
