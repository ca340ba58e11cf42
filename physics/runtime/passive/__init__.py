"""A simulation that steps in a script, in another process, and is shown and changed here: both ends, without the pipe between them.

    script: physics.step(m, d); sync  --image of Data, changes of Model-->  ShownSimulation --Snapshot--> window
    ScriptSimulation.perform          <--commands------------------------   PassiveRunner   <--send------ window
"""
