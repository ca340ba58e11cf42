"""Hard contact: a variational step solved as a complementarity problem by an interior-point method."""
