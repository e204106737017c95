"""Why a step is not allowed, and which messages make it so."""
