"""Certificates: proofs of faults that anybody can check again, without the recording and without trust."""
