"""The docks. `table.PANELS` lists them; each is made after the first frame, or when it is first shown."""
