"""Films and pictures away from the window's view: drawing, encoding in a thread of its own, files that are whole or not there. No Qt.

    moment (physics) --Snapshot--> Reel: Studio --rgb--> Encoder (bounded queue, thread) --> film file or numbered pictures

A command has its Reel in its own process; the window has it in another one (process.py, worker.py), so that films cost it nothing.
"""
