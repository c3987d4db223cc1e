"""What the Makefile calls. Standard library only where set-up may not have happened yet."""
