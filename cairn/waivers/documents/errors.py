"""The errors of documents and interactive forms."""

from cairn.kit import Problem


class SealUnusable(Problem):
    code = "seal_unusable"
    message = "Documents cannot be sealed: {reason}."


class DocumentMissing(Problem):
    status, code = 404, "document_missing"
    message = "There is no such document, or you may not see it."


class WaiverErased(Problem):
    status, code = 410, "waiver_erased"
    message = "This waiver was erased on {date}. Only its history is left."


class DocumentDamaged(Problem):
    status, code = 500, "document_damaged"
    message = "The stored document {path} is not what was stored: {reason}."


class TooManyDownloads(Problem):
    status, code = 429, "too_many_downloads"
    message = "Your network has downloaded many large documents within a minute. Please try again in a moment."


class DocumentTooLarge(Problem):
    status, code = 422, "document_too_large"
    message = "This waiver is too long for a PDF: {reason}. Please shorten its text."


class DocumentUnprintable(Problem):
    """Only the worker sees this: it then renders the document with fewer parts of its form, or tries again later."""

    code = "document_unprintable"
    message = "The document cannot be rendered: {reason}."


class DocumentFailed(Problem):
    status, code = 422, "document_failed"
    message = "This waiver is signed and stored, but its text is too long for a PDF."


class FormUnreadable(Problem):
    status, code = 400, "form_unreadable"
    message = "This is not a waiver form that can be read."


class FormTooLarge(Problem):
    status, code = 413, "form_too_large"
    message = "This PDF is larger than {megabytes} MB. A filled waiver form is smaller."


class FormLocked(Problem):
    status, code = 400, "form_locked"
    message = "This PDF is protected by a password. Please save it without one and choose it again."


class FormContainsProgram(Problem):
    status, code = 400, "form_holds_program"
    message = "This PDF contains a program, which a waiver form does not. It was not read."


class DocumentNotReady(Problem):
    status, code = 409, "document_not_ready"
    message = "The document of this waiver is still being prepared. Please try again in a moment."


class HistoryNotChecked(Problem):
    status, code = 503, "history_not_checked"
    message = "The history of this waiver could not be checked in time. Please try again in a minute."
