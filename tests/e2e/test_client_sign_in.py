"""A page outside the product signs its users in through the client library, with Google and with a passkey."""

from collections.abc import AsyncIterator
from urllib.parse import parse_qs, quote, urlsplit

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from cairn.kit import frozen_dataclass
from tests.e2e.close_context import close_context
from tests.external.openid import CLIENT_ID, CLIENT_SECRET
from tests.external.serving import running_client_page, running_openid_provider
from tests.serving import RunningServer, free_port, serving_in_thread

ROSA = "rosa@rio-rafting.example"


@frozen_dataclass
class ClientSite:
    server: RunningServer
    # The page that uses the client library has this URL.
    url: str


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def site(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ClientSite]:
    port = free_port()
    async with running_openid_provider() as google, running_client_page() as (page, page_url):
        settings = {
            "CAIRN_AUTH__SITE_URL": f"http://localhost:{port}",
            "CAIRN_AUTH__GOOGLE__CLIENT_ID": CLIENT_ID,
            "CAIRN_AUTH__GOOGLE__CLIENT_SECRET": CLIENT_SECRET,
            "CAIRN_AUTH__GOOGLE__ISSUER": google.issuer,
            "CAIRN_AUTH__MFA__WEBAUTHN_ORIGINS": f'["{page_url}"]',
        }
        async with serving_in_thread(tmp_path_factory.mktemp("google"), port=port, settings=settings) as server:
            page.url, page.anon_key = server.url, server.anon_key
            yield ClientSite(server, page_url)


@pytest_asyncio.fixture
async def tab(browser: Browser) -> AsyncIterator[Page]:
    context = await browser.new_context()
    yield await context.new_page()
    await close_context(context)


@pytest.mark.accept("AUTH-14", "AUTH-11")
@pytest.mark.parametrize("client", ["newest", "old"])
@pytest.mark.parametrize("flow", ["pkce", "implicit"])
async def test_a_user_signs_in_with_google(site: ClientSite, tab: Page, client: str, flow: str) -> None:
    visited_urls: list[str] = []
    tab.on("framenavigated", lambda frame: visited_urls.append(frame.url))
    await tab.goto(f"{site.url}/{client}/{flow}")
    await expect(tab.locator("output")).to_have_text("signed out")

    await tab.get_by_role("button", name="Continue with Google").click()
    await tab.get_by_role("link", name=f"Continue as {ROSA}").click()

    await expect(tab.locator("output")).to_have_text(ROSA)
    assert "SIGNED_IN" in await tab.evaluate("authEvents")
    assert urlsplit(tab.url).path == f"/{client}/{flow}"
    callbacks = [url for url in visited_urls if "code=" in url and url.startswith(site.url)]
    assert len(callbacks) == (1 if flow == "pkce" else 0)
    assert "access_token" not in tab.url
    await tab.reload()
    await expect(tab.locator("output")).to_have_text(ROSA)


@pytest.mark.accept("AUTH-11")
async def test_a_wrong_verifier_and_a_used_code_are_rejected(site: ClientSite, tab: Page) -> None:
    await tab.goto(f"{site.url}/newest/pkce")
    authorize_url = await tab.evaluate(
        "signIn('rosa@rio-rafting.example', { skipBrowserRedirect: true }).then(({ data }) => data.url)"
    )
    verifier = await tab.evaluate(
        """() => {
            // The client stores several copies of the verifier; each is a string of 112 hexadecimal digits.
            const copies = Object.entries(localStorage).filter(([, value]) => /^"[0-9a-f]{112}"$/.test(value));
            for (const [name] of copies) localStorage.setItem(name, JSON.stringify("x".repeat(112)));
            return JSON.parse(copies[0][1]);
        }"""
    )

    await tab.goto(authorize_url)
    async with tab.expect_response("**/token?grant_type=pkce") as response_info:
        await tab.get_by_role("link", name=f"Continue as {ROSA}").click()
    code = parse_qs(urlsplit(tab.url).query)["code"][0]
    statuses = [
        await tab.evaluate(
            """async ([url, key, auth_code, code_verifier]) => {
                const body = JSON.stringify({ auth_code, code_verifier });
                const headers = { apikey: key, "content-type": "application/json" };
                return (await fetch(`${url}/auth/v1/token?grant_type=pkce`, { method: "POST", headers, body })).status;
            }""",
            [site.server.url, site.server.anon_key, code, verifier],
        )
        for _ in range(2)
    ]

    assert (await response_info.value).status == 400
    await expect(tab.locator("output")).to_have_text("signed out")
    assert statuses == [200, 404], "the right verifier works once"


@pytest.mark.accept("AUTH-14")
async def test_a_foreign_redirect_url_is_ignored(site: ClientSite, tab: Page) -> None:
    foreign_url = quote("https://mallory.example/steal", safe="")
    await tab.goto(f"{site.server.url}/auth/v1/authorize?provider=google&redirect_to={foreign_url}")

    await tab.get_by_role("link", name="Continue as").click()
    await tab.wait_for_url(lambda url: "/auth/v1/" not in url and "authorize" not in url)

    assert urlsplit(tab.url).hostname == "localhost"
    assert urlsplit(tab.url).port == urlsplit(site.server.url).port


@pytest.mark.accept("AUTH-14")
async def test_an_error_redirects_to_the_page_of_the_client(site: ClientSite, tab: Page) -> None:
    client_page = quote(f"{site.url}/newest/implicit", safe="")

    await tab.goto(f"{site.server.url}/auth/v1/authorize?provider=myspace&redirect_to={client_page}")

    parameters = parse_qs(urlsplit(tab.url).query)
    assert tab.url.startswith(f"{site.url}/newest/implicit")
    assert parameters["error_description"] == ["Unsupported provider: Provider myspace could not be found"]


@pytest.mark.accept("AUTH-24")
async def test_a_passkey_is_created_and_used_in_the_browser(site: ClientSite, tab: Page) -> None:
    devtools = await tab.context.new_cdp_session(tab)
    await devtools.send("WebAuthn.enable")
    authenticator = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    await devtools.send(
        "WebAuthn.addVirtualAuthenticator",
        {"options": {**authenticator, "isUserVerified": True, "automaticPresenceSimulation": True}},
    )
    await tab.goto(f"{site.url}/newest/implicit")

    levels = await tab.evaluate(
        """async () => {
            const email = `bea.${crypto.randomUUID()}@rio-rafting.example`, password = "nine rapids before noon";
            await client.auth.signUp({ email, password });
            const level = async () => (await client.auth.mfa.getAuthenticatorAssuranceLevel()).data.currentLevel;
            const verifyFactor = async (factorId) => {
                const { data, error } = await client.auth.mfa.challenge({ factorId });
                if (error) throw error;
                const { type, credential_options } = data.webauthn;
                const ceremony = type === "create" ? "create" : "get";
                const credential_response = await navigator.credentials[ceremony](credential_options);
                const webauthn = { type, rpId: location.hostname, rpOrigins: [location.origin], credential_response };
                const verification = await client.auth.mfa.verify({ factorId, challengeId: data.id, webauthn });
                if (verification.error) throw verification.error;
            };
            const { data: factor } = await client.auth.mfa.enroll({ factorType: "webauthn", friendlyName: "key" });
            const levels = [await level()];
            await verifyFactor(factor.id);
            levels.push(await level());
            await client.auth.signOut();
            await client.auth.signInWithPassword({ email, password });
            levels.push(await level());
            await verifyFactor(factor.id);
            levels.push(await level());
            return levels;
        }"""
    )

    assert levels == ["aal1", "aal2", "aal1", "aal2"]
