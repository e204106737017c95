"""Recordings of buses and networks: CAN logs, DoIP. `registry` says which file is of which kind, and who reads it."""
