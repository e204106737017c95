"""Recordings of buses and networks: CAN logs, DoIP. `registry` maps each kind of file to its reader."""
