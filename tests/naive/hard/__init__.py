"""The hard engine's step once more, plainly: the maximal system as one dense matrix, derivatives by complex steps.

    frames.py       where bodies are at any qpos, and their motion axes
    rows.py         contacts as rows: directions, arms, kinds of gap
    cones.py        products and steps to the edge
    system.py       the unknowns, the residual and its matrix
    newton.py       the interior-point iterations
    repository.py   the method as the paper's authors ran it, for its stored figures

Source: Howell, Le Cleac'h and others, "Dojo: A Differentiable Physics Engine for Robotics", arXiv 2203.00806; equation numbers in round brackets are that paper's.
"""
