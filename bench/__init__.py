"""Benchmarks: what the memory finds, and what it costs. They need a checkout; the wheel leaves them out."""
