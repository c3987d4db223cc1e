"""Signing up, signing in, signing out, and changing one's own account. `service()` mounts `routes`."""
