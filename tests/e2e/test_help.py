"""A company reads the help pages of the dashboard and sends a message to the operator."""

import pytest
from lxml import html
from playwright.async_api import Browser, Page, expect

from tests.e2e.accessibility import axe_violations
from tests.e2e.close_context import close_context
from tests.e2e.company import Company, open_signed_in, registered_company
from tests.e2e.conftest import DESKTOP, Deployment, DeploymentWithSms
from tests.e2e.guest import database_connection
from tests.mail_server import plain_body
from tools.claims import HELP_PAGES, find_differences, read_claims
from tools.html_sentences import sentences_of_html


@pytest.mark.accept("ROUTE-26")
async def test_a_company_reads_the_help_pages_and_writes_to_support(
    deployment: Deployment, company: Company, desktop: Page
) -> None:
    session_id = company.send_to("Ana Ortiz")
    await open_signed_in(desktop, company, "/dashboard/help/documentation")
    await desktop.get_by_role("link", name="Remind those who have not").click()
    await expect(desktop.get_by_role("region", name="Remind those who have not")).to_be_in_viewport()

    await desktop.goto("/dashboard/help/tutorials")
    await expect(desktop.get_by_role("region")).to_have_count(5)

    await desktop.goto("/dashboard/help/support")
    await desktop.get_by_label("Subject").fill("A seal is red")
    await desktop.get_by_label("Message").fill("Ana's waiver says <b>changed</b>.\n\nWhat did I do wrong?")
    await desktop.get_by_label("Waiver id").fill(session_id)
    await desktop.reload()
    await desktop.get_by_role("button", name="Send message").click()
    await expect(desktop.get_by_text("We have your message")).to_be_focused()
    await expect(desktop.get_by_role("main")).to_contain_text(f"comes to {company.email}")
    assert await axe_violations(desktop) == []

    async with database_connection(deployment) as connection:
        stored_message = await connection.fetchrow(
            """
            select m.name, m.subject, m.message, m.waiver, c.name as company
              from inquiries.messages m join companies c on c.id = m.company_id
             where m.kind = 'support' and m.email = $1
            """,
            company.email,
        )
    assert stored_message is not None
    message = "Ana's waiver says <b>changed</b>.\n\nWhat did I do wrong?"
    assert tuple(stored_message) == ("Rosa Marín", "A seal is red", message, session_id, "Rio Rafting")
    email = await deployment.wait_for_email("Support: A seal is red")
    assert (email["To"], email["Reply-To"]) == ("operator@localhost", company.email)
    assert message in plain_body(email).replace("\r\n", "\n")
    assert f"Waiver: {session_id}" in plain_body(email)


async def test_every_sentence_of_the_help_pages_is_listed_with_its_proof(
    deployment_with_sms: DeploymentWithSms, browser: Browser
) -> None:
    """The server has an SMS gateway, because the pages mention text messages only then."""
    context = await browser.new_context(
        base_url=deployment_with_sms.server.url, viewport=DESKTOP, service_workers="block"
    )
    page = await context.new_page()
    found_pages = {}
    with registered_company(deployment_with_sms.server) as company:
        for path in HELP_PAGES:
            await open_signed_in(page, company, path)
            await page.wait_for_load_state("networkidle")
            content = await page.get_by_role("main").evaluate("main => main.outerHTML")
            found_pages[path] = without_address(sentences_of_html(html.document_fromstring(content)), company)
    await close_context(context)

    differences = find_differences(read_claims(), found_pages)
    assert not differences, "\n".join(["Change docs/claims.md:", *differences])


def without_address(sentences: list[str], company: Company) -> list[str]:
    """Replaces the address of the company, which is different in every run."""
    return list(dict.fromkeys(sentence.replace(company.email, "{email}") for sentence in sentences))
