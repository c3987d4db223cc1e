"""The commands of `cairn`. Each module declares the arguments of one command and runs it."""
