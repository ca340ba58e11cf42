"""Teleoperation without Qt: sources hand over Samples, a mapping makes targets of them, drives make commands of those.

    source (a thread of its own) --Sample--> Hub (one thread) --filter, clutch, guards--> Drive --command--> Runner.latest --> physics thread
"""
