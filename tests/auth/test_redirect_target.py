import pytest

from cairn.auth import AuthSettings
from cairn.auth.redirects import redirect_target

SITE = "https://cairn.example"
GLOBS = ("https://*.preview.example/**", "com.example.cairn://callback", "https://exact.example/back")


@pytest.fixture
def settings(settings: AuthSettings) -> AuthSettings:
    return settings.model_copy(update={"site_url": SITE, "uri_allow_list": GLOBS})


@pytest.mark.parametrize(
    "asked",
    [
        "https://cairn.example",
        "https://cairn.example/dashboard?a=1",
        "https://feature.preview.example/any/where",
        "com.example.cairn://callback",
        "https://exact.example/back",
    ],
)
def test_ones_own_places_and_those_on_the_list_are_allowed(settings: AuthSettings, asked: str) -> None:
    assert redirect_target(asked, settings) == asked


@pytest.mark.parametrize(
    "asked",
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
def test_everything_else_becomes_the_site(settings: AuthSettings, asked: str | None) -> None:
    assert redirect_target(asked, settings) == SITE
