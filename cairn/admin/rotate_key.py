import json

from cairn.admin.report import Report
from cairn.secret_bundle import rotate_secret, rotation_notice
from cairn.settings import Settings


def rotate_key(settings: Settings, name: str) -> Report:
    """Replaces a secret by a new one, as `cairn keys --rotate` does."""
    bundle = rotate_secret(settings, name)
    notice = rotation_notice(name, bundle)
    return Report(
        [{"rotated": name, "bundle": bundle}], notice if bundle is None else f"{notice}\n{json.dumps(bundle)}"
    )
