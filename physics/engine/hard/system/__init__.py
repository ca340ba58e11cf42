"""The Newton system of the hard engine: the order of elimination, blocks of bodies and pairs of bodies, their elimination."""
