"""Pitboss: house-banked stud poker, run exactly as the casino's own rules document says."""

__version__ = "0.1.0"
