"""The programs behind the targets of the Makefile."""
