"""`linkwork demo`: demonstrations without a window."""


def command_demo(arguments) -> dict:
    """One of its commands; imported when it is needed."""
    from app.headless.demo import commands

    return commands.command_demo(arguments)
