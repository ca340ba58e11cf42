"""Planning, learning and identification with either engine: trajectories by iLQR, policies by random and gradient search, parameters by Gauss-Newton.

All of it goes through steps, rollouts and derivatives of steps (docs/optimise.md). The public names are below; each is imported when it is first used.
"""
from importlib import import_module
from types import MappingProxyType

_HOMES = MappingProxyType({
    "solve_ilqr": "physics.optimise.ilqr",
    "ILQROptions": "physics.optimise.ilqr",
    "ILQRResult": "physics.optimise.ilqr",
    "State": "physics.optimise.tangent",
    "StateCost": "physics.optimise.costs",
    "ControlCost": "physics.optimise.costs",
    "ResidualCost": "physics.optimise.costs",
    "UserCost": "physics.optimise.costs",
    "StateGoal": "physics.optimise.constraints",
    "StateBounds": "physics.optimise.constraints",
    "UserConstraint": "physics.optimise.constraints",
    "Task": "physics.optimise.episode",
    "LinearPolicy": "physics.optimise.episode",
    "run_episode": "physics.optimise.episode",
    "train_ars": "physics.optimise.random_search",
    "RandomSearchOptions": "physics.optimise.random_search",
    "train_ags": "physics.optimise.gradient_search",
    "GradientSearchOptions": "physics.optimise.gradient_search",
    "SearchResult": "physics.optimise.episode",
    "fit_parameters": "physics.optimise.identify",
    "IdentifyOptions": "physics.optimise.identify",
    "IdentifyResult": "physics.optimise.identify",
    "Parameter": "physics.optimise.model_parameters",
    "Motion": "physics.optimise.motions",
    "motions_of": "physics.optimise.motions",
    "Progress": "physics.optimise.progress",
    "Checkpoint": "physics.optimise.progress",
    "linearise": "physics.optimise.engine_derivatives",
})
__all__ = tuple(_HOMES)


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module 'physics.optimise' has no attribute {name!r}; there are: {', '.join(__all__)}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value   # found at once the next time
    return value


def __dir__():
    return sorted(_HOMES)
