"""The user's functions around steps: called in the physics thread, timed, switched off where they fail, stopped from another thread where they do not end."""
