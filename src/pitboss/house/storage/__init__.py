"""What lasts: the journal, the databases, and the projections kept beside the journal."""
