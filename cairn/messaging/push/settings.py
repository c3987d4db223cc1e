from pydantic import BaseModel, SecretStr


class PushSettings(BaseModel, frozen=True):
    # Generated into the data folder. Another one makes every browser's subscription worthless.
    private_key: SecretStr
    # Whom a push service may turn to about what we send: `mailto:…` or `https://…`. Empty: the sender of our mails.
    contact: str = ""
    # Browsers say where to send, so whoever can write a row could make us call any address: these are all we call.
    services: tuple[str, ...] = (
        "https://fcm.googleapis.com",
        "https://*.push.services.mozilla.com",
        "https://*.push.apple.com",
        "https://*.notify.windows.com",
    )
    timeout_seconds: float = 10.0
