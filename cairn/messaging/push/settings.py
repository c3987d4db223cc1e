from pydantic import BaseModel, SecretStr


class PushSettings(BaseModel, frozen=True):
    # This key is generated into the data folder. Replacing it invalidates the subscriptions of all browsers.
    private_key: SecretStr
    # The contact for push services: `mailto:…` or `https://…`. If empty, the sender address of emails is used.
    contact: str = ""
    # The endpoint of a subscription comes from a browser, so only these origins are ever called.
    services: tuple[str, ...] = (
        "https://fcm.googleapis.com",
        "https://*.push.services.mozilla.com",
        "https://*.push.apple.com",
        "https://*.notify.windows.com",
    )
    timeout_seconds: float = 10.0
