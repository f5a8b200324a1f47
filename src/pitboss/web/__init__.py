"""The house over HTTP: JSON in, events and views out, live updates, OpenAPI."""
