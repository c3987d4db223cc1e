"""What stands on the public pages, read from the HTML the server sends: nothing here needs a script."""

import gzip
import json
import re
from collections.abc import Iterator

import httpx
import pytest
from fontTools.ttLib import TTFont

from tests.e2e.conftest import Place
from tests.e2e.public import PLAIN_PAGES, SCRIPTED_PAGES, Sheet, read
from tests.house.tree import ROOT

BUDGET = 15_000
WEB = ROOT / "web" / "app"
FONT = WEB / "fonts" / "inter-public.woff2"
BASIC = "/checkout?amount=2000&description=Basic%20Plan%20Subscription"
PROFESSIONAL = "/checkout?amount=4000&description=Professional%20Plan%20Subscription"


@pytest.fixture
def visitor(place: Place) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=place.url) as client:
        yield client


@pytest.mark.parametrize(("path", "heading"), PLAIN_PAGES.items())
def test_a_public_page_is_whole_light_and_says_what_it_is(visitor: httpx.Client, path: str, heading: str) -> None:
    page = read(visitor, path)

    assert page.response.status_code == 200
    assert [" ".join(h1.text_content().split()) for h1 in page["//h1"]] == [heading]
    assert page["//script[not(@type='application/ld+json')]"] == []
    assert "script-src 'none'" in page.response.headers["content-security-policy"]
    assert len(gzip.compress(page.response.content)) <= BUDGET
    [description] = page["//meta[@name='description']/@content"]
    assert len(str(description)) > 40
    assert page["//link[@rel='canonical']/@href"] == [str(visitor.base_url).rstrip("/") + path]
    [picture] = page["//meta[@property='og:image']/@content"]
    assert visitor.get(str(picture)).headers["content-type"] == "image/png"
    # A letter outside the cut font would be drawn in another one.
    assert {ord(letter) for letter in page.text("//body").replace("\n", "")} <= set(TTFont(FONT).getBestCmap())
    assert "__CAIRN" not in page.response.text
    assert not re.search(r"__(VALUE|ERROR)_", page.response.text)


@pytest.mark.accept("LAYOUT-02", "LAYOUT-03", "LAYOUT-05", "LAYOUT-06", "LAYOUT-07", "LAYOUT-08", "LAYOUT-09")
@pytest.mark.accept("ROUTE-02", "ROUTE-03", "ROUTE-05")
@pytest.mark.parametrize("path", [*PLAIN_PAGES, "/verify", "/checkout"])
def test_every_public_page_has_the_same_header_and_footer(visitor: httpx.Client, path: str) -> None:
    page = read(visitor, path)

    header = page.links("//header")
    assert list(header[1:4]) == ["/features", "/pricing", "/about"]
    [sign_in] = [link for link in page["//header//a"] if link.get("href") == "/signin"]
    assert sign_in.text_content() == "Sign in"
    columns = {
        column.text_content(): page.links(f"//footer//h2[.='{column.text_content()}']/..")
        for column in page["//footer//h2"]
    }
    assert columns == {
        "Product": ["/features", "/pricing", "/customers"],
        "Learn": ["/blog", "/blog/digital-waivers-guide", "/blog/best-practices", "/blog/case-studies"],
        "Company": ["/about", "/contact"],
        "Legal": ["/privacy", "/terms", "/security"],
    }
    assert "Simplifying waiver management for businesses." in page.words("//footer")


@pytest.mark.accept("HOME-01", "HOME-02", "HOME-03", "HOME-04", "HOME-05", "HOME-06", "HOME-16")
def test_the_front_page_tells_its_story_in_order(visitor: httpx.Client) -> None:
    home = read(visitor, "/")
    hero, stats, features, pricing, voices, banner, faq = home["//main//section"]

    assert [part.xpath("string(.//h1|.//h2)") for part in (hero, stats, features, pricing, voices, banner, faq)] == [
        "Put your waiver management on autopilot",
        "Figures",
        "Less paper at the dock, more time on the water",
        "Pay for waivers, not for seats",
        "What a quiet morning sounds like",
        "Every guest signed before the boats touch the water",
        "Questions we would ask, too",
    ]
    assert [item.text_content() for item in hero.iter("li")] == [
        "Legally binding e-signatures",
        "Automated email and SMS reminders",
        "A simple tracking dashboard",
        "Set-up in a couple of clicks",
    ]
    assert next((link.text_content(), link.get("href")) for link in hero.iter("a")) == ("Try it Free", "/signup")
    figures = [
        " ".join(word.text_content() for word in reversed(group))
        for group in stats.iter("div")
        if group.find("dt") is not None
    ]
    assert figures == ["98% completion rate", "10k+ waivers signed", "4.9/5 customer rating", "60% time saved"]
    assert "Sample figures" in stats.text_content()
    assert "Sample copy" in voices.text_content()
    assert len(list(features.iter("li"))) == 6


@pytest.mark.accept("HOME-08", "HOME-09", "HOME-10", "HOME-11", "PLAN-03")
def test_the_front_page_names_prices_voices_and_ways_on(visitor: httpx.Client) -> None:
    home = read(visitor, "/")
    _, _, _, pricing, voices, banner, _ = home["//main//section"]

    assert [tier.xpath("string(.//h3)") for tier in pricing.iter("article")] == ["Basic", "Professional", "Enterprise"]
    enterprise = list(pricing.iter("article"))[2]
    assert "$" not in enterprise.text_content()
    assert [link.get("href") for link in enterprise.iter("a")] == ["mailto:sales@localhost"]
    elsewhere = [
        path for path in {**PLAIN_PAGES, **SCRIPTED_PAGES} if path != "/" and "Enterprise" in visitor.get(path).text
    ]
    assert elsewhere == []
    assert len(list(voices.iter("figure"))) == 3
    for voice in voices.iter("figure"):
        [quote], [author] = voice.iter("blockquote"), voice.iter("figcaption")
        name, role_and_company = author
        assert len(quote.text_content()) > 40
        assert name.text_content()
        assert re.fullmatch(r"[\w ]+, [\w ]+", role_and_company.text_content())
    assert [(link.text_content(), link.get("href")) for link in banner.iter("a")] == [
        ("Try it Free", "/signup"),
        ("Schedule Demo", "/demo"),
    ]


@pytest.mark.accept("HOME-12", "HOME-13", "HOME-14")
def test_six_questions_are_answered_with_what_the_product_does(visitor: httpx.Client) -> None:
    faq = read(visitor, "/")["//main//section"][-1]
    answers = {item[0].text_content(): item[1].text_content() for item in faq.iter("details")}
    said = [
        (question, next(words for words in topics if words not in answers[question]))
        for question, topics in {
            "Are signatures made with Cairn legally binding?": ["ESIGN", "UETA"],
            "How do guests sign?": ["unique link by email", "SMS"],
            "Can I customize the templates?": ["[PARTICIPANT NAME]", "write your own"],
            "Is our data encrypted?": ["In transit and at rest", "https only"],
            "Does it work with our booking system?": ["webhook", "data service"],
            "What about guests without a smartphone?": ["tablet or kiosk", "public signing page"],
        }.items()
        if not all(words in answers[question] for words in topics)
    ]

    assert len(answers) == 6
    assert said == []
    [facts] = [json.loads(data.text_content()) for data in faq.iter("script")]
    assert [entry["name"] for entry in facts["mainEntity"]] == list(answers)


@pytest.mark.accept("PRICE-01", "PRICE-02", "PRICE-03", "PRICE-04", "PRICE-05", "PRICE-06", "PRICE-07", "PRICE-08")
@pytest.mark.accept("PLAN-01", "PLAN-02")
def test_two_plans_with_their_prices(visitor: httpx.Client) -> None:
    page = read(visitor, "/pricing")
    basic, professional = page["//article"]

    assert [tier.xpath("string(.//h2)") for tier in (basic, professional)] == ["Basic", "Professional"]
    assert "$20/month" in basic.text_content()
    assert "$40/month" in professional.text_content()
    assert [(link.text_content(), link.get("href")) for link in basic.iter("a")] == [("Get Started", BASIC)]
    assert [link.get("href") for link in professional.iter("a")] == [PROFESSIONAL]
    assert "Simple & Transparent" in professional.text_content()
    assert "Simple & Transparent" not in basic.text_content()
    assert "border-forest" in professional.get("class", "")
    assert "more than 20 waivers" in basic.text_content()
    assert "No credit card required" in basic.text_content()
    assert [item.text_content() for item in basic.iter("li")] == [
        "Up to 1000 waivers per month", "Email delivery", "Basic templates", "Guest management",
    ]  # fmt: skip
    assert [item.text_content() for item in professional.iter("li")] == [
        "Unlimited waivers", "Email and SMS delivery", "Advanced templates", "API access", "Analytics dashboard",
        "Calendar integration",
    ]  # fmt: skip
    [facts] = [json.loads(data.text_content()) for data in page["//script"]]
    assert [(offer["name"], offer["price"]) for offer in facts["offers"]] == [
        ("Basic", "20.00"),
        ("Professional", "40.00"),
    ]


@pytest.mark.accept("ROUTE-07", "ROUTE-08")
def test_about_tells_the_story_and_three_values(visitor: httpx.Client) -> None:
    page = read(visitor, "/about")

    assert "So we founded Cairn" in page.words()
    assert [value.text_content() for value in page["//main//h3"]] == ["Simplicity", "Reliability", "Security"]
    assert "It works online and offline." in page["//h3[.='Reliability']/.."][0].text_content()


@pytest.mark.accept("LAYOUT-10")
def test_companies_are_told_to_ask_their_legal_adviser(visitor: httpx.Client) -> None:
    assert "have your legal adviser review its final text" in read(visitor, "/").words()


@pytest.mark.accept("HOME-07")
@pytest.mark.parametrize("claim", [
    "Legally binding e-signatures on any device",
    "Automated email and SMS reminders",
    "Tracking of which guests have signed",
    "Customizable templates",
    "Secure storage of signed waivers",
    "Notification by email, SMS or push",
])  # fmt: skip
def test_the_claims_are_made(visitor: httpx.Client, claim: str) -> None:
    assert claim in [heading.text_content() for heading in read(visitor, "/")["//main//h3"]]


def test_search_engines_are_told_what_there_is(visitor: httpx.Client) -> None:
    listed = re.findall(r"<loc>(.*?)</loc>", visitor.get("/sitemap.xml").text)
    robots = visitor.get("/robots.txt").text

    assert {str(visitor.base_url).rstrip("/") + path for path in PLAIN_PAGES} <= set(listed)
    assert not [url for url in listed if "/sent" in url or "/dashboard" in url or "/checkout" in url]
    assert f"Sitemap: {visitor.base_url.scheme}://127.0.0.1:{visitor.base_url.port}/sitemap.xml" in robots


def test_no_link_on_any_public_page_is_dead(visitor: httpx.Client) -> None:
    pages = {path: read(visitor, path) for path in [*PLAIN_PAGES, *SCRIPTED_PAGES, "/contact/sent", "/demo/sent"]}
    leads = {link.partition("#")[0] for page in pages.values() for link in page.links("//body")}
    own = {link for link in leads if link.startswith("/")}

    dead = {link for link in own if visitor.get(link).status_code != 200}

    assert dead == set()
    assert leads - own <= {"", "mailto:sales@localhost"}
    assert pages_without_their_fragments(pages) == {}


def test_no_address_the_app_or_a_letter_leads_to_is_dead(visitor: httpx.Client) -> None:
    led_to = set(re.findall(r'"(/[^"]*)"', (WEB / "paths.ts").read_text("utf-8")))
    for source in (ROOT / "cairn").rglob("*.py"):
        led_to |= set(re.findall(r'site_url\}(/[a-z/-]*[a-z])[?"]', source.read_text("utf-8")))
    routes = re.findall(r'route\("([^":*]+)"', (WEB / "routes.ts").read_text("utf-8"))

    dead = {path for path in led_to if visitor.get(path.partition("#")[0]).status_code != 200}
    unknown = {path for path in routes if visitor.get(f"/{path}").status_code != 200}

    # The page after sending is no route, and says so.
    assert dead == {"/dashboard/sent-waivers"}
    # The pieces are there for whoever builds them.
    assert unknown == {"dev/ui"}


def pages_without_their_fragments(pages: dict[str, Sheet]) -> dict[str, list[str]]:
    """A link to a place on the same page that is not there."""
    lost = {
        path: [
            link
            for link in page.links("//body")
            if link.startswith("#") and not page[f"//*[@id='{link[1:]}']"]
        ]
        for path, page in pages.items()
    }  # fmt: skip
    # Sign-in and its neighbours have a frame of their own.
    return {path: links for path, links in lost.items() if links}
