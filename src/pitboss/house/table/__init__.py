"""A table's procedure, pure: commands, events, state, what is done when somebody asks."""
