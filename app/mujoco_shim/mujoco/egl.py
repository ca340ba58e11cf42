"""mujoco.egl: its GLContext."""
from .gl_context import GLContext  # noqa: F401
