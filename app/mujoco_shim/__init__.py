"""Official names for scripts: the folder that `linkwork exec` puts in front of Python's search path, so that `import mujoco` finds the package mujoco in it.

Nothing of ours imports what is here, and it never lies where an ordinary `import mujoco` would find it.
"""
