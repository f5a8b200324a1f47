"""The books, pure: double entry."""
