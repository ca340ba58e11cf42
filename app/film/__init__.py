"""Films and pictures away from the window's view: drawing, encoding in a thread of its own, files that are whole or not there. No Qt.

    frame state (physics) --Snapshot--> Recording: OffscreenRenderer --rgb--> Encoder (bounded queue, thread) --> film file or numbered pictures

A command has its Recording in its own process; the window has it in another one (process.py, worker.py), so that films cost it nothing.
"""
