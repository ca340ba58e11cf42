"""The layers of a picture, one file per kind of thing that is drawn."""
