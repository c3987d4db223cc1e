"""Contains the programs that the targets of the Makefile run."""
