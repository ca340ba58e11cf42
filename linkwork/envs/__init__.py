"""Environments for reinforcement learning, as gymnasium has them: `from linkwork.envs import FleetEnv, Task, TaskEnv`. Needs gymnasium (`pip install linkwork[rl]`)."""
from linkwork.envs.fleet_env import FleetEnv
from linkwork.envs.task import Simulations, Task
from linkwork.envs.task_env import TaskEnv

__all__ = ["FleetEnv", "Simulations", "Task", "TaskEnv"]
