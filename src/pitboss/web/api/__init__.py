"""The API for programs: JSON in, events and views out."""
