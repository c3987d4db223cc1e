import pytest

from cairn.auth import AuthSettings
from cairn.auth.redirects import redirect_target

SITE = "https://cairn.example"
ALLOW_LIST = ("https://*.preview.example/**", "com.example.cairn://callback", "https://exact.example/back")


@pytest.fixture
def settings(settings: AuthSettings) -> AuthSettings:
    return settings.model_copy(update={"site_url": SITE, "uri_allow_list": ALLOW_LIST})


@pytest.mark.parametrize(
    "target",
    [
        "https://cairn.example",
        "https://cairn.example/dashboard?a=1",
        "https://feature.preview.example/any/where",
        "com.example.cairn://callback",
        "https://exact.example/back",
    ],
)
def test_the_site_and_the_allow_list_are_accepted(settings: AuthSettings, target: str) -> None:
    assert redirect_target(target, settings) == target


@pytest.mark.parametrize(
    "target",
    [
        None,
        "",
        "/dashboard",
        "http://cairn.example",
        "https://cairn.example:444",
        "https://cairn.example.evil.example",
        "https://evil.example/?https://cairn.example",
        "https://cairn.example@evil.example",
        "https://user:word@cairn.example",
        "https://evil.example\\@cairn.example",
        "https://cairn.example\n.evil.example",
        "https://a.b.preview.example/",
        "https://evil.example/.preview.example/x",
        "https://exact.example/back/and/forth",
        "https://exact-example/back",
        "javascript:alert(1)",
        "https://cairn.example:port",
        "https://[::1",
        f"https://cairn.example/{'x' * 3000}",
    ],
)
def test_any_other_target_is_replaced_by_the_site(settings: AuthSettings, target: str | None) -> None:
    assert redirect_target(target, settings) == SITE
