"""Defines every error of this package."""

from cairn.kit import Problem


class NotConfirmed(Problem):
    code = "not_confirmed"
    message = "Nothing was changed. Without a terminal, confirm with --yes."


class SchemaOutdated(Problem):
    code = "schema_outdated"
    message = "The database does not have the schema of this version. Run `cairn migrate` first."


class UserUnknown(Problem):
    code = "user_unknown"
    message = "There is no user {user}. `cairn admin users list --search TEXT` finds users."


class CompanyUnknown(Problem):
    code = "company_unknown"
    message = "There is no company {company_id}. `cairn admin companies list --search TEXT` finds companies."


class JobsNotFailed(Problem):
    code = "jobs_not_failed"
    message = "There is no failed job with the id {ids}. `cairn admin queue list --state failed` lists them."


class FileNotWritten(Problem):
    code = "file_not_written"
    message = "The file {file} cannot be written ({reason})."
