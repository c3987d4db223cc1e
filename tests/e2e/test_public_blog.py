"""The cards, articles, missing articles and feed of the blog work without scripts."""

import json
import os
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from lxml import etree
from playwright.async_api import Page, expect

from tests.e2e.commands import run_command
from tests.e2e.company import PASSWORD, Company
from tests.e2e.conftest import Deployment
from tests.e2e.public_pages import ARTICLES, fetch_page, open_and_parse, parse_visible
from tests.factories import SAMPLE_TEMPLATE_ID


@pytest.mark.accept("BLOG-01", "BLOG-02", "BLOG-03", "BLOG-04", "BLOG-09")
async def test_seven_cards_link_to_seven_articles(page_without_scripts: Page) -> None:
    cards = (await open_and_parse(page_without_scripts, "/blog"))["//main//article"]

    links = [[(link.text_content(), link.get("href")) for link in card.iter("a")] for card in cards]
    assert links == [[("Read Article", f"/blog/{slug}")] for slug in ARTICLES]
    assert len(links) == 7
    for card in cards:
        category, excerpt, byline = (part.text_content() for part in card.iter("p"))
        [title], [date] = card.iter("h2"), card.iter("time")
        assert min(len(category), len(title.text_content())) > 2
        assert len(excerpt) > 40
        assert date.text_content() == long_date(str(date.get("datetime")))
        assert byline == f"{date.text_content()} · 5 min read"
        [picture] = card.iter("img")
        assert (await page_without_scripts.request.get(str(picture.get("src")))).headers[
            "content-type"
        ] == "image/svg+xml"


def long_date(date: str) -> str:
    day = datetime.fromisoformat(date)
    return f"{day:%B} {day.day}, {day.year}"


@pytest.mark.accept("BLOG-05", "BLOG-06", "BLOG-07", "BLOG-08", "BLOG-09")
@pytest.mark.parametrize(("slug", "title"), ARTICLES.items())
async def test_an_article_is_readable_and_links_to_sign_up_and_the_blog(
    page_without_scripts: Page, slug: str, title: str
) -> None:
    await page_without_scripts.goto(f"/blog/{slug}")
    picture_width = await page_without_scripts.locator("article header img").evaluate(
        "(image) => image.decode().then(() => image.naturalWidth)"
    )
    assert picture_width > 0
    parsed_page = await parse_visible(page_without_scripts)
    [article], [banner] = parsed_page["//main/article"], parsed_page["//main//section"]

    [heading] = article.iter("h1")
    assert heading.text_content() == title
    back_link, *_, get_started, read_more = article.iter("a")
    assert [(link.text_content(), link.get("href")) for link in (back_link, get_started, read_more)] == [
        ("Back to Blog", "/blog"),
        ("Get Started", "/signup"),
        ("Read More Articles", "/blog"),
    ]
    assert [link.get("href") for link in banner.iter("a")] == ["/signup", "/pricing"]
    head = [part.text_content() for part in parsed_page["//article/header//p"]]
    assert head[0]
    [date] = parsed_page["//article/header//time/@datetime"]
    assert head[-1] == f"The Cairn team · {long_date(str(date))} · 5 min read"
    assert parsed_page["//article/header/img/@src"] == [f"/blog/pictures/{slug}.svg"]
    assert len(article.text_content().split()) > 900
    assert "not legal advice" in article.text_content()
    for link in parsed_page.links("//nav[@aria-labelledby='parts']"):
        assert parsed_page[f"//h2[@id='{link[1:]}']"], f"{link} leads to no heading"


@pytest.mark.parametrize("path", ["/blog", *(f"/blog/{slug}" for slug in ARTICLES)])
def test_blog_pages_have_a_feed_link_and_structured_data(client: httpx.Client, path: str) -> None:
    page = fetch_page(client, path)

    assert page["//link[@type='application/rss+xml']/@href"] == ["/blog/rss.xml"]
    if path != "/blog":
        [structured_data] = [json.loads(data.text_content()) for data in page["//script"]]
        assert (structured_data["@type"], structured_data["headline"]) == (
            "BlogPosting",
            page["//h1"][0].text_content(),
        )


@pytest.mark.accept("BLOG-09", "BLOG-10")
@pytest.mark.parametrize("slug", ["nope", "404", "404/index.html", "best-practices/more"])
async def test_a_missing_article_shows_the_not_found_page(page_without_scripts: Page, slug: str) -> None:
    response = await page_without_scripts.goto(f"/blog/{slug}")
    parsed_page = await parse_visible(page_without_scripts)

    assert response is not None
    assert response.status == 404
    assert [heading.text_content() for heading in parsed_page["//h1"]] == ["Blog Post Not Found"]
    assert "The article you're looking for doesn't exist or has been moved." in parsed_page.normalized_text()
    [back_link] = parsed_page["//main//a[.='Back to Blog']"]
    assert back_link.get("href") == "/blog"
    assert parsed_page["//meta[@name='robots']/@content"] == ["noindex"]
    assert parsed_page["//link[@rel='canonical']"] == []
    assert parsed_page["//script"] == []


def test_the_feed_lists_every_article(client: httpx.Client) -> None:
    response = client.get("/blog/rss.xml")
    items = etree.fromstring(response.content).findall("channel/item")

    assert "xml" in response.headers["content-type"]
    assert {item.findtext("link"): item.findtext("title") for item in items} == {
        f"{str(client.base_url).rstrip('/')}/blog/{slug}": title for slug, title in ARTICLES.items()
    }
    for item in items:
        assert parsedate_to_datetime(item.findtext("pubDate") or "").year >= 2026
        assert client.get(item.findtext("guid") or "").status_code == 200


async def test_articles_can_be_read_without_scripts(page_without_scripts: Page) -> None:
    await page_without_scripts.goto("/blog")
    for slug, title in list(ARTICLES.items())[:2]:
        await page_without_scripts.get_by_role("link", name=f"Read Article: {title}").click()
        await page_without_scripts.wait_for_url(f"**/blog/{slug}")
        await expect(page_without_scripts.get_by_role("heading", name=title, level=1)).to_be_visible()
        await page_without_scripts.get_by_role("navigation", name="In this article").get_by_role("link").last.click()
        await expect(page_without_scripts.locator("article h2").last).to_be_in_viewport()
        await page_without_scripts.get_by_role("link", name="Back to Blog").click()
        await page_without_scripts.wait_for_url("**/blog")


async def test_the_code_of_the_integration_guide_runs_unchanged(
    deployment: Deployment, company: Company, client: httpx.Client, root: Path, tmp_path: Path
) -> None:
    guide = fetch_page(client, "/blog/integration-guide")
    code = "\n".join(block.text_content() for block in guide["//pre"])
    waiver_id = str(uuid4())
    booking = {
        "waiverId": waiver_id,
        "templateId": SAMPLE_TEMPLATE_ID,
        "guestName": "Gil Okafor",
        "guestEmail": "gil@example.com",
    }
    # The booking system sends the same booking twice, and then asks who has signed.
    calls = f"""
        const booking = {json.dumps(booking)};
        const links = [await openWaiver(booking), await openWaiver(booking)];
        console.log(JSON.stringify({{ links, signed: await findSigned([booking.waiverId]) }}));
        process.exit();
    """
    (tmp_path / "node_modules").symlink_to(root / "web" / "node_modules")
    (tmp_path / "bookings.mjs").write_text(code + calls)
    environment = {
        **os.environ,
        "CAIRN_URL": deployment.url,
        "CAIRN_KEY": deployment.server.anon_key,
        "CAIRN_EMAIL": company.email,
        "CAIRN_PASSWORD": PASSWORD,
    }
    program = ["node", str(tmp_path / "bookings.mjs")]

    before = json.loads(await run_command(program, environment))
    company.sign_as_guest(waiver_id, "Gil Okafor")
    after = json.loads(await run_command(program, environment))

    assert before == {"links": [f"{deployment.url}/waivers/sign/session/{waiver_id}"] * 2, "signed": []}
    assert after["links"] == before["links"]
    assert [(waiver["id"], waiver["signer_name"]) for waiver in after["signed"]] == [(waiver_id, "Gil Okafor")]
