"""`make bench`: ratios measured in one run on one machine, each with its goal.

Rates are compared with PostgreSQL doing the same work (pgbench) on the same cluster in the same minute, because only
such a ratio means the same on another machine. Lists and inserts are also compared with two other servers, installed
from their registries into `.cache/bench`; where that fails they are left out, and the output says so. The server is
started for the measurement, with a new data folder.
"""
