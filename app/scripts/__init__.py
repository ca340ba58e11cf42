"""The user's scripts: Python files with functions that the program calls. No Qt.

    file --loading (a thread)--> functions, sliders, buttons, plots --SetHooks--> physics thread (physics/runtime/hooks)

They run in this process as what they are, the user's own code: nothing keeps them from what the user may do.
"""
