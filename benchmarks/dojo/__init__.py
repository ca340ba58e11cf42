"""Tables and figures of the paper "Dojo: A Differentiable Physics Engine for Robotics" (Howell, Le Cleac'h and others, arXiv 2203.00806), one command each.

Every one prints what the paper says, what its repository (github.com/dojo-sim/Dojo.jl) keeps or gives, and what our hard engine does.
"""
