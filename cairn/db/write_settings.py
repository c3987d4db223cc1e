"""Planner settings for transactions of one statement that write.

PostgreSQL keeps the plan of a prepared statement, and makes that plan for the table as it is at that moment. While a
table is short, reading all of it is the cheapest plan. That plan would then be used until the next ANALYZE, even if the
table has grown long: every refreshed session and every signed waiver would read the whole table.

With sequential scans turned off, the planner uses an index from the start, in the statement and in its triggers and
foreign keys. If no index fits, it still reads the table. This suits statements that find rows by key. Transactions
that only read keep the default, because a list may need a whole table.

Signing stayed at 1,000 to 1,180 waivers per second instead of falling from 923 to 624 after eight thousand signatures
(decision 81). The bench measures it as "insert into a table that has grown".
"""

WRITE_SETTINGS = {"enable_seqscan": "off"}
