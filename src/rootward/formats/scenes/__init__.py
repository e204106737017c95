"""Scenes of simulators (SDF, MJCF, URDF) as models with poses and shapes, and the trajectories of robots in them."""
