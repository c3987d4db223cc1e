"""Plants faults in a copy of the code, one after the other, and reports which tests catch them (`make mutants`).

The files in `faults/` list the faults, which are called mutants. Each one replaces a short text of one source file,
says in plain words what it breaks, and names the tests that should catch it. The files of this package are

- `mutant`: reads the lists and finds entries that no longer fit the code,
- `tree_copy`: copies the code into a temporary folder and changes the copy,
- `try_mutant`: runs the tests against one mutant and decides the outcome,
- `baseline`: runs the tests that have caught a mutant again on the unchanged code, because a test that always fails
  catches nothing,
- `results`: stores the outcomes, so that an interrupted run can be continued, and prints the summary,
- `database_created` and `create_database`: find mutants with which no database can be created. With such a mutant every
  test fails, so a failure does not mean that a test has caught it,
- `prepared_cluster`: saves the tests the time to create a database.
"""
