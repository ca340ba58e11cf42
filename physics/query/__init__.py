"""What scripts ask about a computed state: Jacobians, the mass matrix, object velocities, geom distances, rays."""
