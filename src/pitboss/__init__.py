"""Pitboss: house-banked stud poker, run exactly as the casino's own rules document says."""

__version__ = "0.1.0"

__all__ = ["__version__", "cards", "hands", "maths", "money", "round", "rulebook", "settle"]
