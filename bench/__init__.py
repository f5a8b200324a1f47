"""Benchmarks: `./pit bench`, from a clone. What is measured is measured beside a peer or a limit."""
