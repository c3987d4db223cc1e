import pytest

from cairn.auth.redirects import is_allowed

SITE = "https://waivers.example.com"
ALLOW_LIST = (
    "https://*.rio-rafting.example/**",
    "https://partner.example/back?",
    "cairn-app://signed-in",
    "http://localhost:*/welcome",
)


@pytest.mark.parametrize(
    "target",
    [
        SITE,
        f"{SITE}/dashboard?tab=2#there",
        "https://www.rio-rafting.example/a/b.html",
        "https://partner.example/back1",
        "cairn-app://signed-in",
        "http://localhost:5173/welcome#x",
    ],
)
def test_a_target_on_the_site_or_the_allow_list_is_allowed(target: str) -> None:
    assert is_allowed(target, SITE, ALLOW_LIST)


@pytest.mark.parametrize(
    "target",
    [
        "",
        "/relative",
        "//evil.example",
        "http://waivers.example.com",
        "https://waivers.example.com:8443/",
        "https://waivers.example.com.evil.example/",
        "https://waivers.example.com@evil.example/",
        "https://evil.example@waivers.example.com/",
        "https://evil.example\\@waivers.example.com/",
        "https://evil\\.rio-rafting.example/",
        "https://waivers.example.com\t.evil.example/",
        "https://waivers.example.com\n/",
        "https://a.b.rio-rafting.example/",
        "https://rio-rafting.example.evil.example/a",
        "https://evil.example/#https://www.rio-rafting.example/",
        "https://partner.example/back/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://127.1/",
        "http://[bad",
        "https://waivers.example.com:port/",
        "javascript:alert(1)",
        "data:text/html,hi",
        "cairn-app://signed-in.evil",
        f"{SITE}/{'x' * 3000}",
    ],
)
def test_any_other_target_is_refused(target: str) -> None:
    assert not is_allowed(target, SITE, ALLOW_LIST)


WILDCARD_HOSTS = (
    "https://*.preview.example/**",
    "https://**.deep.example/**",
    "https://*.*.*.*/**",
    "https://192.0.2.7:*/**",
    "https://preview?.example/**",
    "app:/back/*",
)


@pytest.mark.parametrize(
    "target",
    [
        "https://feature-1.preview.example/x?y=1",
        "https://a.b.deep.example/",
        "https://192.0.2.7:8443/x",
        "https://preview7.example/x",
        "app:/back/home",
    ],
)
def test_a_wildcard_in_a_host_matches_a_to_z_digits_and_hyphens(target: str) -> None:
    assert is_allowed(target, SITE, WILDCARD_HOSTS)


@pytest.mark.parametrize(
    "target",
    [
        "https://evil\u3002example?.preview.example/x",
        "https://evil\uff0eexample?.preview.example/x",
        "https://evil\uff61example.preview.example/x",
        "https://[2001:db8::66]?.preview.example/x",
        "https://[2001:db8::66].preview.example/x",
        "https://evil:443?.preview.example/x",
        "https://localhost:8443?.preview.example/x",
        "https://evil.example?.deep.example/x",
        "https://evil.example:443?.deep.example/",
        "https://evil%2eexample.preview.example/",
        "https://m\u00fcnchen.preview.example/",
        "https://evil@a.preview.example/",
        "https://evil\\.preview.example/",
        "https://192.0.2.66/x",
        "https://preview?.example/x",
        "https:evil.example/x",
        "https:///evil.example/x",
        "app://back/home",
        "app:/other/home",
        "http://a.preview.example/x",
    ],
)
def test_16a2_a_wildcard_in_a_host_never_matches_another_host(target: str) -> None:
    """16A2 in docs/security.md: `*` matched characters that browsers take for a dot or for the end of a host."""
    assert not is_allowed(target, SITE, WILDCARD_HOSTS)


@pytest.mark.parametrize("target", ["http://127.0.0.1:5173/x", "http://[::1]:3000/"])
def test_a_loopback_address_is_allowed_only_during_development(target: str) -> None:
    assert is_allowed(target, "http://127.0.0.1:8000", ())
    assert not is_allowed(target, SITE, ALLOW_LIST)


def test_any_port_of_localhost_is_allowed() -> None:
    assert is_allowed("http://localhost:5173/", "http://localhost:8000", ())
    assert not is_allowed("https://localhost:5173/", "http://localhost:8000", ())
