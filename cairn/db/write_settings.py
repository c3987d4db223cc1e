"""Planner settings for transactions of one statement that write.

PostgreSQL keeps the plan of a prepared statement, and it makes that plan for the table as it is at that moment. While a
table is short, reading all of it is cheapest, so a plan made then reads the whole table for every refreshed session and
every signed waiver until the next ANALYZE, however long the table has become. Turning sequential scans off makes the
planner find rows by their index from the start, in the statement as well as in its triggers and foreign keys; where no
index fits, it still reads the table. This is only right for statements that find rows by key, so transactions that read
keep the default. Signing stayed level at 1,000 to 1,180 a second instead of falling from 923 to 624 after eight
thousand signatures (decision 81); the bench row is
"insert into a table that has grown".
"""

WRITE_SETTINGS = {"enable_seqscan": "off"}
