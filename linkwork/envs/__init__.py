"""Environments for reinforcement learning, as gymnasium has them: `from linkwork.envs import FleetEnv, Task, TaskEnv`. Needs gymnasium (`pip install linkwork[rl]`)."""
from linkwork.envs.fleet_env import FleetEnv
from linkwork.envs.registration import register_envs, task_of
from linkwork.envs.task import Simulations, Task
from linkwork.envs.task_env import TaskEnv
from linkwork.envs.task_file import TaskError
from linkwork.envs.task_file import read as read_task

__all__ = ["FleetEnv", "Simulations", "Task", "TaskEnv", "TaskError", "read_task", "register_envs", "task_of"]

register_envs()
