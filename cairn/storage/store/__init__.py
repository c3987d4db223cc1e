"""All SQL of this package. Queries run under the caller's role, so policies decide what the caller may do."""
