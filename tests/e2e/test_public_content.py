"""Checks the content of the public pages as Chromium shows it."""

import json
import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, expect

from tests.e2e.close_context import close_context
from tests.e2e.company import open_signed_in, registered_company
from tests.e2e.conftest import DESKTOP, Deployment
from tests.e2e.public_pages import PLAIN_PAGES, SCRIPTED_PAGES, open_and_parse, parse_visible

BASIC_CHECKOUT = "/checkout?amount=2000&description=Basic%20Plan%20Subscription"
PROFESSIONAL_CHECKOUT = "/checkout?amount=4000&description=Professional%20Plan%20Subscription"
# A plan says this beside a feature that does not exist yet.
IN_PREPARATION = " (in preparation)"
PAGES_WITH_HEADER = [*PLAIN_PAGES, "/verify", "/checkout"]


@pytest_asyncio.fixture
async def page(browser: Browser, deployment: Deployment) -> AsyncIterator[Page]:
    context = await browser.new_context(base_url=deployment.url, viewport=DESKTOP, service_workers="block")
    yield await context.new_page()
    await close_context(context)


@pytest.mark.accept("LAYOUT-02", "LAYOUT-03", "LAYOUT-05", "LAYOUT-06", "LAYOUT-07", "LAYOUT-08", "LAYOUT-09")
@pytest.mark.accept("ROUTE-01", "ROUTE-02", "ROUTE-03", "ROUTE-05")
async def test_every_public_page_has_the_same_header_and_footer(page: Page) -> None:
    for path in PAGES_WITH_HEADER:
        parsed_page = await open_and_parse(page, path)

        header_links = parsed_page["//header[not(ancestor::main)]//a"]
        assert [(link.text_content(), link.get("href")) for link in header_links] == [
            ("Cairn", "/"), ("Features", "/features"), ("Pricing", "/pricing"), ("About", "/about"),
            ("Sign in", "/signin"), ("Try it Free", "/signup"),
        ]  # fmt: skip
        assert parsed_page.normalized_text("//h1") == {**PLAIN_PAGES, **SCRIPTED_PAGES}[path]
        columns = {
            column.text_content(): parsed_page.links(f"//footer//h2[.='{column.text_content()}']/..")
            for column in parsed_page["//footer//h2"]
        }
        assert columns == {
            "Product": ["/features", "/pricing", "/customers"],
            "Learn": ["/blog", "/blog/digital-waivers-guide", "/blog/best-practices", "/blog/case-studies"],
            "Company": ["/about", "/contact"],
            "Legal": ["/privacy", "/terms", "/security"],
        }
        assert "Simplifying waiver management for businesses." in parsed_page.normalized_text("//footer")


@pytest.mark.accept("HOME-01", "HOME-02", "HOME-03", "HOME-04", "HOME-05", "HOME-06", "HOME-07", "HOME-16")
async def test_the_sections_of_the_front_page_are_in_order(page: Page) -> None:
    sections = (await open_and_parse(page, "/"))["//main//section"]
    hero, stats, features, _, testimonials, _, _ = sections

    assert [part.xpath("string(.//h1|.//h2)") for part in sections] == [
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
        " ".join(part.text_content() for part in reversed(group))
        for group in stats.iter("div")
        if group.find("dt") is not None
    ]
    assert figures == ["98% completion rate", "10k+ waivers signed", "4.9/5 customer rating", "60% time saved"]
    assert "Sample figures, made up for illustration." in stats.text_content()
    assert "Sample copy: we made up these people and their companies" in testimonials.text_content()
    assert "They are not customers." in testimonials.text_content()
    assert [claim.xpath("string(.//h3)") for claim in features.iter("li")] == [
        "Legally binding e-signatures on any device",
        "Automated email and SMS reminders",
        "Tracking of which guests have signed",
        "Customizable templates",
        "Secure storage of signed waivers",
        "Notification by email, SMS or push",
    ]


@pytest.mark.accept("HOME-08", "HOME-09", "HOME-10", "HOME-11", "PLAN-03")
async def test_the_front_page_shows_prices_testimonials_and_calls_to_action(page: Page) -> None:
    _, _, _, pricing, testimonials, banner, _ = (await open_and_parse(page, "/"))["//main//section"]

    assert [tier.xpath("string(.//h3)") for tier in pricing.iter("article")] == ["Basic", "Professional", "Enterprise"]
    enterprise = list(pricing.iter("article"))[2]
    assert "$" not in enterprise.text_content()
    assert "Custom" in enterprise.text_content()
    assert [link.get("href") for link in enterprise.iter("a")] == ["mailto:sales@localhost"]
    assert len(list(testimonials.iter("figure"))) == 3
    for testimonial in testimonials.iter("figure"):
        [quote], [author] = testimonial.iter("blockquote"), testimonial.iter("figcaption")
        name, role_and_company = author
        assert len(quote.text_content()) > 40
        assert name.text_content()
        assert re.fullmatch(r"[\w ]+, [\w ]+", role_and_company.text_content())
    assert [(link.text_content(), link.get("href")) for link in banner.iter("a")] == [
        ("Try it Free", "/signup"),
        ("Schedule Demo", "/demo"),
    ]
    pages_with_enterprise = [
        path
        for path in {**PLAIN_PAGES, **SCRIPTED_PAGES}
        if path != "/" and "Enterprise" in await (await page.request.get(path)).text()
    ]
    assert pages_with_enterprise == []


@pytest.mark.accept("HOME-12", "HOME-13", "HOME-14")
async def test_the_front_page_answers_six_questions_in_two_columns(page: Page) -> None:
    await page.goto("/")
    questions = page.locator("details", has=page.locator("summary.min-h-14"))
    await expect(questions).to_have_count(6)
    assert sorted(await column_sizes(questions)) == [3, 3]
    for question in await questions.all():
        await question.locator("summary").click()

    faq = (await parse_visible(page))["//main//section"][-1]
    answers = {item[0].text_content(): item[1].text_content() for item in faq.iter("details")}
    expected_terms = {
        "Are signatures made with Cairn legally binding?": ["ESIGN", "UETA"],
        "How do guests sign?": ["unique link by email", "SMS"],
        "Can I customize the templates?": ["[PARTICIPANT NAME]", "write your own"],
        "Is our data encrypted?": ["In transit and at rest", "https only"],
        "Does it work with our booking system?": ["webhook", "data service"],
        "What about guests without a smartphone?": ["tablet or kiosk", "public signing page"],
    }
    assert list(answers) == list(expected_terms)
    assert [term for question, terms in expected_terms.items() for term in terms if term not in answers[question]] == []
    [structured_data] = [json.loads(data.text_content()) for data in faq.iter("script")]
    assert [entry["name"] for entry in structured_data["mainEntity"]] == list(answers)


async def column_sizes(elements: Locator) -> list[int]:
    """Returns the number of elements in each column, from left to right."""
    edges = [box["x"] for element in await elements.all() if (box := await element.bounding_box())]
    return [edges.count(edge) for edge in sorted(set(edges))]


@pytest.mark.accept("PRICE-01", "PRICE-02", "PRICE-03", "PRICE-04", "PRICE-05", "PRICE-06", "PRICE-07", "PRICE-08")
@pytest.mark.accept("PLAN-01", "PLAN-02")
async def test_the_pricing_page_shows_two_plans_with_their_prices(page: Page) -> None:
    await page.goto("/pricing")
    border_colors = await page.locator("article").evaluate_all(
        "tiers => tiers.map(tier => getComputedStyle(tier).borderColor)"
    )
    assert border_colors[0] != border_colors[1], "one of the plans is highlighted"
    parsed_page = await parse_visible(page)
    basic, professional = parsed_page["//article"]

    assert [tier.xpath("string(.//h2)") for tier in (basic, professional)] == ["Basic", "Professional"]
    assert "Enterprise" not in parsed_page.normalized_text("//body")
    assert "$20/month" in basic.text_content()
    assert "$40/month" in professional.text_content()
    assert [(link.text_content(), link.get("href")) for link in basic.iter("a")] == [("Get Started", BASIC_CHECKOUT)]
    assert [link.get("href") for link in professional.iter("a")] == [PROFESSIONAL_CHECKOUT]
    assert "Simple & Transparent" in professional.text_content()
    assert "Simple & Transparent" not in basic.text_content()
    assert "more than 20 waivers" in basic.text_content()
    assert "No credit card required" in basic.text_content()
    assert [item.text_content() for item in basic.iter("li")] == [
        "Up to 1000 waivers per month", "Email delivery", "Basic templates", "Guest management",
    ]  # fmt: skip
    professional_features = [item.text_content() for item in professional.iter("li")]
    assert [feature.removesuffix(IN_PREPARATION) for feature in professional_features] == [
        "Unlimited waivers", "Email and SMS delivery", "Advanced templates", "API access", "Analytics dashboard",
        "Calendar integration",
    ]  # fmt: skip
    assert [feature for feature in professional_features if feature.endswith(IN_PREPARATION)] == [
        f"Advanced templates{IN_PREPARATION}",
        f"Analytics dashboard{IN_PREPARATION}",
        f"Calendar integration{IN_PREPARATION}",
    ]
    assert (
        "What is in preparation does not exist yet, so please do not choose a plan because of it."
        in parsed_page.normalized_text()
    )
    [structured_data] = [json.loads(data.text_content()) for data in parsed_page["//script"]]
    assert [(offer["name"], offer["price"]) for offer in structured_data["offers"]] == [
        ("Basic", "20.00"),
        ("Professional", "40.00"),
    ]


@pytest.mark.accept("ROUTE-07", "ROUTE-08")
async def test_the_about_page_has_the_story_and_three_values(page: Page) -> None:
    parsed_page = await open_and_parse(page, "/about")

    assert "So we founded Cairn" in parsed_page.normalized_text()
    assert [value.text_content() for value in parsed_page["//main//h3"]] == ["Simplicity", "Reliability", "Security"]
    assert "It works online and offline." in parsed_page["//h3[.='Reliability']/.."][0].text_content()


@pytest.mark.accept("LAYOUT-10")
async def test_companies_are_advised_to_consult_their_legal_adviser(deployment: Deployment, page: Page) -> None:
    await page.goto("/")
    await expect(page.get_by_text("have your legal adviser review its final text")).to_be_visible()

    with registered_company(deployment.server) as company:
        await open_signed_in(page, company, "/dashboard/waivers")
        advice = await page.get_by_text("have a legal adviser review the final text of your waiver").bounding_box()
        card = await page.get_by_role("button", name=re.compile("^View ")).first.bounding_box()

    assert advice is not None
    assert card is not None
    assert advice["y"] + advice["height"] < card["y"], "the advice is above the templates"
