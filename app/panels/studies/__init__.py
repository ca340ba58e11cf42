"""The panel of studies: conducted by a process beside the window (`linkwork sweep`), shown as they come: trials, best so far, parallel coordinates, a map of two values."""
