"""Films and pictures away from the window's view: drawing, encoding in a thread of its own, files that are whole or not there. No Qt.

    moment (physics) --Snapshot--> Studio --rgb--> Encoder (bounded queue, thread) --> film file or numbered pictures
"""
