"""The only SQL of this room. What a caller may do is decided by policies: these run under the caller's role."""
