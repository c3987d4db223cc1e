"""All errors of the storage API. The response may have another HTTP status, as `error_responses` explains."""

from cairn.kit import Problem


class StorageProblem(Problem):
    error: str | None = None
    """The `error` field of the response body. If it is not set, the response contains the code."""

    headers: dict[str, str] = {}  # noqa: RUF012 - never mutated: a subclass assigns its own dictionary


class NoSuchBucket(StorageProblem):
    status, code, error, message = 404, "NoSuchBucket", "Bucket not found", "Bucket not found"


class NoSuchKey(StorageProblem):
    status, code, error, message = 404, "NoSuchKey", "not_found", "Object not found"


class BytesMissing(StorageProblem):
    """The row exists, but its blob does not."""

    status, code, error, message = 404, "NoSuchKey", "Not found", "The resource was not found"
    headers = {"Cache-Control": "no-store"}  # noqa: RUF012 - never mutated


class NoSuchEndpoint(StorageProblem):
    status, code, error, message = 404, "NoSuchEndpoint", "Not Found", "Route {method}:{path} not found"


class AlreadyExists(StorageProblem):
    status, code, error, message = 409, "KeyAlreadyExists", "Duplicate", "The resource already exists"


class BucketAlreadyExists(AlreadyExists):
    code = "BucketAlreadyExists"


class BucketNotEmpty(StorageProblem):
    status, code, message = 409, "ResourceNotEmpty", "The bucket you tried to delete is not empty"


class TooLarge(StorageProblem):
    status, code, error = 413, "EntityTooLarge", "Payload too large"
    message = "The object exceeded the maximum allowed size"


class MetadataTooLarge(TooLarge):
    message = "The metadata exceeded the maximum allowed size of 10 KB"


class AccountQuotaReached(StorageProblem):
    status, code, error = 413, "QuotaReached", "Payload too large"
    message = (
        "Your account may store {files} files with {megabytes} MB in total. "
        "Delete files that you no longer need, then try again."
    )


class NetworkQuotaReached(StorageProblem):
    status, code, error = 429, "TooManyRequests", "Too many requests"
    message = "Too much was uploaded from your network today. Please try again tomorrow."


class TypeNotAllowed(StorageProblem):
    status, code, error = 415, "InvalidMimeType", "invalid_mime_type"
    message = "mime type {type} is not supported"


class InvalidKey(StorageProblem):
    status, code, message = 400, "InvalidKey", "Invalid key: {key}"


class InvalidBucketName(StorageProblem):
    status, code, error, message = 400, "InvalidBucketName", "Invalid Input", "Bucket name invalid"


class InvalidFileSize(StorageProblem):
    status, code = 400, "InvalidFileSize"
    message = "Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B"


class InvalidRange(StorageProblem):
    status, code, error, message = 400, "InvalidRange", "invalid_range", "invalid range provided"


class InvalidRequest(StorageProblem):
    status, code, message = 400, "InvalidRequest", "{reason}"


class InvalidJwt(StorageProblem):
    status, code, message = 400, "InvalidJWT", "{reason}"


class InvalidSignature(StorageProblem):
    """The URL was signed for another object, or it was signed for the object itself and used for a resized image."""

    status, code, message = 400, "InvalidSignature", "Invalid signature"


class WrongScope(InvalidSignature):
    """A URL was signed for a download and used for an upload, or the other way around."""

    message = "Token is not scoped for {scope}"


class AuthorizationMissing(StorageProblem):
    status, code, error = 400, "InvalidRequest", "Error"
    message = "headers must have required property 'authorization'"


class AccessDenied(StorageProblem):
    status, code, error, message = 403, "AccessDenied", "Unauthorized", "{reason}"


class ServiceRoleRequired(AccessDenied):
    message = "Only the service role may do this"


class ImageNotReadable(StorageProblem):
    status, code, message = 400, "InvalidRequest", "The source image is invalid or unsupported for rendering"


class ImageTooLarge(StorageProblem):
    status, code, message = 422, "InvalidRequest", "This image cannot be rendered: {reason}"


class BlobStoreFailed(StorageProblem):
    """The blob store could not read, write or remove a blob."""

    status, code, error = 500, "InternalError", "Internal"
    message = "The file store did not respond as expected. Please try again."


class ReadFailed(BlobStoreFailed):
    """The blob could not be read or decrypted."""


class WriteFailed(BlobStoreFailed):
    message = "The file store did not respond as expected. Nothing was stored; please try again."


class BlobStoreFull(WriteFailed):
    """The disk or the quota of the blob store is full."""

    message = "There is no space left for this file. Nothing was stored."
