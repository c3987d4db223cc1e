import pytest

from cairn.auth.redirects import allowed_redirect

SITE = "https://cairn.example"
GLOBS = ("https://*.preview.example/**", "com.example.cairn://callback", "https://exact.example/back")


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
def test_ones_own_places_and_those_on_the_list_are_allowed(asked: str) -> None:
    assert allowed_redirect(asked, SITE, GLOBS) == asked


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
        "http://127.0.0.1:3000/",
        "javascript:alert(1)",
        "https://cairn.example:port",
        "https://[::1",
        f"https://cairn.example/{'x' * 3000}",
    ],
)
def test_everything_else_becomes_the_site(asked: str | None) -> None:
    assert allowed_redirect(asked, SITE, GLOBS) == SITE


@pytest.mark.parametrize("asked", ["http://localhost:5173/x", "http://127.0.0.1:9999/", "http://[::1]:80/"])
def test_who_develops_on_their_own_machine_may_use_any_port_of_it(asked: str) -> None:
    assert allowed_redirect(asked, "http://127.0.0.1:8000") == asked
    assert allowed_redirect("http://evil.example", "http://127.0.0.1:8000") == "http://127.0.0.1:8000"
