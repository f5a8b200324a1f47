"""People: their records, what each role may do, their sessions."""
