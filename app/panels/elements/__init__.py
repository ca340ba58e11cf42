"""Elements as rows and values: the tree of all, what there is to know of one, and a picture of each kind. Shared by outliner and inspector."""
