"""mujoco.minimize: nonlinear least squares with bounds."""
from .least_squares import IterLog, Norm, Quadratic, Status, Verbosity, check_jacobian, check_norm, jacobian_fd, least_squares

__all__ = ("IterLog", "Norm", "Quadratic", "Status", "Verbosity", "check_jacobian", "check_norm", "jacobian_fd", "least_squares")
