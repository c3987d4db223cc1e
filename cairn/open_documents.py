"""Opens the documents of waivers with the settings of this server."""

from cairn.settings import Settings
from cairn.storage import ObjectStorage
from cairn.waivers import DocumentContext
from cairn.waivers import open_documents as open_with


def open_documents(settings: Settings, blobs: ObjectStorage) -> DocumentContext:
    return open_with(
        blobs,
        settings.data,
        settings.auth.site_url,
        settings.messaging,
        settings.documents,
        certificate_secret=settings.certificate_secret,
    )
