"""Gizmos without a window: what is selected as movable subjects, handles in the view, a pointer's ray as a motion, the motion as an Edit of the text.

    selection -> subject.subjects_of -> handles.handles_of -> hit.nearest -> drag.Drag.motion(ray) -> edits.edit_of -> session.show(gesture, edit)
"""
