"""Lists every error of the REST service. `sqlstate` translates the errors of PostgreSQL itself."""

from collections.abc import Mapping

from cairn.kit import Problem


class RestProblem(Problem):
    status = 400

    def __init__(
        self,
        *,
        details: object = None,
        hint: str | None = None,
        headers: Mapping[str, str] | None = None,
        **parameters: object,
    ) -> None:
        super().__init__(**parameters)
        self.details = details
        self.hint = hint
        self.headers = dict(headers or {})


class NotInCatalog(RestProblem):
    """A name is not in our copy of the catalog of PostgreSQL. The object may be newer than that copy."""


class InvalidQuery(RestProblem):
    code = "PGRST100"
    message = '"failed to parse {part} ({text})" (line 1, column {column})'


class MethodNotForFunctions(RestProblem):
    status, code = 405, "PGRST101"
    message = "Cannot use the {method} method on RPC"


class InvalidBody(RestProblem):
    code = "PGRST102"
    message = "{reason}"


class RangeNotSatisfiable(RestProblem):
    status, code = 416, "PGRST103"
    message = "Requested range not satisfiable"


class PutFiltersMustBeKey(RestProblem):
    status, code = 405, "PGRST105"
    message = "Filters must include all and only primary key columns with 'eq' operators"


class SchemaNotExposed(RestProblem):
    status, code = 406, "PGRST106"
    message = "Invalid schema: {schema}"


class MediaTypeNotAvailable(RestProblem):
    status, code = 406, "PGRST107"
    message = "None of these media types are available: {types}"


class NotEmbedded(RestProblem):
    code = "PGRST108"
    message = "'{relation}' is not an embedded resource in this request"


class BadResponseHeaders(RestProblem):
    status, code = 500, "PGRST111"
    message = "response.headers GUC must be a JSON array composed of objects with a single key and a string value"


class BadResponseStatus(RestProblem):
    status, code = 500, "PGRST112"
    message = "response.status GUC must be a valid status code"


class PutWithRange(RestProblem):
    code = "PGRST114"
    message = "limit/offset querystring parameters are not allowed for PUT"


class PutBodyMustMatchKey(RestProblem):
    code = "PGRST115"
    message = "Payload values do not match URL in primary key column(s)"


class ResultRefused(RestProblem):
    """The result is not as the client expects it, so the transaction is rolled back."""

    def __init__(self, *, details: str, changed_rows: int) -> None:
        super().__init__(details=details)
        self.changed_rows = changed_rows


class NotOneRow(ResultRefused):
    status, code = 406, "PGRST116"
    message = "Cannot coerce the result to a single JSON object"


class MethodNotSupported(RestProblem):
    status, code = 405, "PGRST117"
    message = "Unsupported HTTP method: {method}"


class OrderByToManyEmbed(RestProblem):
    code = "PGRST118"
    message = "A related order on '{relation}' is not possible"


class OnlyNullTestsOnEmbeds(RestProblem):
    code = "PGRST120"
    message = "Bad operator on the '{relation}' embedded resource"


class UnknownPreferences(RestProblem):
    code = "PGRST122"
    message = "Invalid preferences given with handling=strict"


class AggregatesNotAllowed(RestProblem):
    code = "PGRST123"
    message = "Use of aggregate functions is not allowed"


class TooManyRowsAffected(ResultRefused):
    code = "PGRST124"
    message = "Query result exceeds max-affected preference constraint"


class NoSuchPath(RestProblem):
    status, code = 404, "PGRST125"
    message = "Invalid path specified in request URL"


class OpenApiDisabled(RestProblem):
    status, code = 404, "PGRST126"
    message = "Root endpoint metadata is disabled"


class MaxAffectedNeedsRows(RestProblem):
    code = "PGRST128"
    message = "Function must return SETOF or TABLE when max-affected preference is used with handling=strict"


class GeoJsonNotAvailable(NotInCatalog):
    """GeoJSON needs the PostGIS extension."""

    status, code = 406, "PGRST107"
    message = "None of these media types are available: application/geo+json"


class NoRelationship(NotInCatalog):
    code = "PGRST200"
    message = "Could not find a relationship between '{parent}' and '{child}' in the schema cache"


class AmbiguousRelationship(RestProblem):
    status, code = 300, "PGRST201"
    message = "Could not embed because more than one relationship was found for '{parent}' and '{child}'"


class NoSuchFunction(NotInCatalog):
    status, code = 404, "PGRST202"
    message = "Could not find the function {signature} in the schema cache"


class AmbiguousFunction(RestProblem):
    status, code = 300, "PGRST203"
    message = "Could not choose the best candidate function between: {candidates}"


class NoSuchColumnToWrite(NotInCatalog):
    code = "PGRST204"
    message = "Could not find the '{column}' column of '{table}' in the schema cache"


class NoSuchTable(NotInCatalog):
    status, code = 404, "PGRST205"
    message = "Could not find the table '{schema}.{table}' in the schema cache"


class NoSuchColumn(NotInCatalog):
    """Has the code and message of PostgreSQL, because clients of PostgREST compare these."""

    code = "42703"
    message = "column {table}.{column} does not exist"


class EmbeddedTwice(RestProblem):
    """Two embeds of a table have the same key in the response. Has the code and message with which PostgREST fails."""

    code = "42712"
    message = 'table name "{name}" specified more than once'


class NoSuchType(NotInCatalog):
    code = "42704"
    message = 'type "{name}" does not exist'


class InvalidToken(RestProblem):
    status, code = 401, "PGRST301"
    message = "{reason}"


class InvalidClaims(RestProblem):
    status, code = 401, "PGRST303"
    message = "{reason}"


class QueryTooLong(RestProblem):
    status, code = 414, "query_too_long"
    message = "The query string is longer than {limit} bytes. Please send several requests with fewer values each."


class BodyTooLarge(RestProblem):
    status, code = 413, "body_too_large"
    message = "The request body is larger than {limit} bytes"


class ResponseTooLarge(RestProblem):
    status, code = 400, "response_too_large"
    message = "The rows are too large for one response. Please request fewer rows or columns."


class TooManyAnonymousWrites(RestProblem):
    status, code = 429, "too_many_anonymous_writes"
    message = "Too much was sent from this network. Please wait a few minutes and try again."


class TooManyWrites(RestProblem):
    status, code = 429, "too_many_writes"
    message = "Too much was saved with this account. Please wait a few minutes and try again."


class PatternsNeedAccount(RestProblem):
    status, code = 403, "patterns_need_account"
    message = "Without an account, a filter cannot be a regular expression (match, imatch)."


class TooManyPatterns(RestProblem):
    code = "too_many_patterns"
    message = "A request can contain at most {limit} regular expressions (match, imatch)."


class TooManyRelatedOrders(RestProblem):
    code = "too_many_related_orders"
    message = "The request orders too often by columns of embedded tables. Please remove some of these orders."


class BackreferencesNotSupported(RestProblem):
    code = "backreferences_not_supported"
    message = "A regular expression (match, imatch) cannot contain a backreference."


class CastNotAllowed(RestProblem):
    code = "cast_not_allowed"
    message = "Values cannot be cast to {name}."


class TooManyAtOnce(RestProblem):
    status, code = 503, "too_many_at_once"
    message = "Many requests are waiting at the moment. Please try again in a few seconds."


class DatabaseConnectionFailed(RestProblem):
    status, code = 503, "PGRST000"
    message = "Database connection error. Retrying the connection."


class PoolExhausted(RestProblem):
    status, code = 503, "PGRST003"
    message = "Timed out acquiring connection from connection pool."
