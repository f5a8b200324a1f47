"""Pages: what a person sees in a browser."""
