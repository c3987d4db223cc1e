"""All SQL of this package. Most queries run with the caller's role, so policies decide what the caller may do."""
