"""The pages that the server renders look like the rest of the product."""

import re

import pytest

from cairn.kit import LOGO, html_page, message_response
from tests.structure.tree import ROOT, read_source

TOKENS = read_source(ROOT / "web" / "app" / "tokens.css")
LOGO_SOURCE = read_source(ROOT / "web" / "app" / "ui" / "logo.tsx")

pytestmark = pytest.mark.accept("APP-38")


def test_a_page_has_the_logo_of_the_product() -> None:
    path = re.search(r'CAIRN_PATH =\s*"([^"]+)"', LOGO_SOURCE)
    assert path is not None

    assert f'<path d="{path[1]}"/>' in LOGO
    assert ">Cairn</div>" in bytes(message_response("Title", "Text").body).decode()


def test_a_page_has_the_colors_of_the_product_in_light_and_dark() -> None:
    page = html_page("Title", "")
    token_names = {"text": "foreground", "soft": "muted"}

    colors = re.findall(r"--([\w-]+): (light-dark\(oklch[^;}]+\))", page)

    assert len(colors) > 10
    assert [name for name, value in colors if f"--{token_names.get(name, name)}: {value};" not in TOKENS] == []


def test_a_page_has_the_fonts_of_the_public_pages() -> None:
    page = html_page("Title", "")
    fonts = re.findall(r'font-family: "([^"]+)"; src: url\("(/assets/[^"]+\.woff2)"\)', page)

    assert {family for family, _ in fonts} == {"Inter Variable", "Bricolage Grotesque Variable"}
    assert all((ROOT / "cairn" / "web_build" / "app" / url.lstrip("/")).exists() for _, url in fonts)
    assert "font-src 'self'" in message_response("Title", "Text").headers["content-security-policy"]
