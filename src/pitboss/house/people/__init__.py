"""People: their records, and what each role may do."""
