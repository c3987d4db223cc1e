"""Records the tutorial videos from the running product. `make videos` runs this tool."""
