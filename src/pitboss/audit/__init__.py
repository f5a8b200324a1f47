"""The auditor: reads a database and proves the promises, with a settlement of its own."""
