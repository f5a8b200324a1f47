"""Benchmarks: ``./pit bench``, from a clone. Each figure stands beside a peer's, or a limit."""
