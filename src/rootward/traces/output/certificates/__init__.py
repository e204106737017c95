"""Certificates: proofs of faults that anyone can check, without the recording and without trusting their author."""
