"""Scenes of simulators (SDF, MJCF, URDF) as models with places and shapes, and the trajectories of robots in them."""
