"""`make bench` measures Cairn in one run on one machine, and compares most results with a goal.

Rates are compared with PostgreSQL doing the same work (pgbench) on the same server within the same minute, because only
a ratio to PostgreSQL means the same on another machine. Some measurements compare Cairn with two other servers,
which are called peers. They are installed from their registries into `.cache/bench`. If that fails, the output says so,
and their measurements are missing. Cairn is started with a new data folder for each run.
"""
