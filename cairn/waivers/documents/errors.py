"""What can be refused or go wrong around documents."""

from cairn.kit import Problem


class SealUnusable(Problem):
    code = "seal_unusable"
    message = "Documents cannot be sealed: {reason}."


class DocumentMissing(Problem):
    status, code = 404, "document_missing"
    message = "There is no such document, or you may not see it."


class DocumentDamaged(Problem):
    status, code = 500, "document_damaged"
    message = "The stored document {path} is not what was stored: {reason}."


class FormUnreadable(Problem):
    status, code = 400, "form_unreadable"
    message = "This is not a waiver form that can be read."


class DocumentNotReady(Problem):
    status, code = 409, "document_not_ready"
    message = "The document of this waiver is still being prepared. Please try again in a moment."
