import { createHash } from "node:crypto";

import { describe, expect, inject, test } from "vitest";

import { uniqueEmail, CLIENTS, connectWithPkce, signUp, anonymousClient } from "./people";

/** Follows the redirects to the provider and its button, and returns the address to which our callback redirects. */
async function runOAuthFlow(startUrl: string): Promise<URL> {
  const page = await fetch(startUrl, { redirect: "follow" }).then((response) => response.text());
  const button = /id="yes" href="([^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&");
  if (!button) throw new Error(`The provider page has no button: ${page}`);
  const response = await fetch(button, { redirect: "manual" });
  return new URL(response.headers.get("location") ?? "");
}

function createIdToken(email: string, claims: Record<string, string> = {}): Promise<string> {
  const query = new URLSearchParams({ email, ...claims });
  return fetch(`${inject("identityProvider")}/mint?${query}`).then((response) => response.text());
}

const dashboardUrl = () => `${inject("keys").url}/dashboard`;
const googleOptions = (email: string) => ({
  provider: "google" as const,
  options: { redirectTo: dashboardUrl(), skipBrowserRedirect: true, queryParams: { login_hint: email } },
});

describe.each(CLIENTS)("federated sign-in, through the client %s", (version, connect) => {
  test("AUTH-11 AUTH-14 with Google and PKCE the code works once, and only in the tab that started the sign-in", async () => {
    const email = uniqueEmail("rosa").toLowerCase();
    const tab = connectWithPkce(version);
    const { data } = await tab.auth.signInWithOAuth(googleOptions(email));
    const finalUrl = await runOAuthFlow(data.url ?? "");
    expect(finalUrl.href.startsWith(`${dashboardUrl()}?code=`)).toBe(true);
    const code = finalUrl.searchParams.get("code") ?? "";

    const otherTab = connectWithPkce(version);
    await otherTab.auth.signInWithOAuth(googleOptions(email));
    const exchangeByOther = await otherTab.auth.exchangeCodeForSession(code);
    const exchange = await tab.auth.exchangeCodeForSession(code);
    await tab.auth.signInWithOAuth(googleOptions(email));
    const secondExchange = await tab.auth.exchangeCodeForSession(code);

    expect(exchangeByOther.error).toMatchObject({ status: 400, code: "bad_code_verifier" });
    expect(exchange.error).toBeNull();
    expect(exchange.data.user).toMatchObject({
      email,
      app_metadata: { provider: "google", role: "company" },
    });
    expect(exchange.data.session?.provider_token).toBe(`access-${email}`);
    expect(secondExchange.error).toMatchObject({ status: 404, code: "flow_state_not_found" });
  });

  test("AUTH-14 with Google and the implicit flow the session is in the fragment", async () => {
    const email = uniqueEmail("rosa").toLowerCase();
    const client = anonymousClient(connect);
    const { data } = await client.auth.signInWithOAuth(googleOptions(email));

    const finalUrl = await runOAuthFlow(data.url ?? "");
    const fragment = new URLSearchParams(finalUrl.hash.slice(1));
    const { data: session, error } = await client.auth.setSession({
      access_token: fragment.get("access_token") ?? "",
      refresh_token: fragment.get("refresh_token") ?? "",
    });

    expect(error).toBeNull();
    expect(session.user?.email).toBe(email);
  });

  test("AUTH-12 an ID token signs in only if its audience is our client", async () => {
    const email = uniqueEmail("gil").toLowerCase();
    const client = anonymousClient(connect);
    const nonce = "only this once";
    const nonceHash = createHash("sha256").update(nonce).digest("hex");

    const foreignToken = await client.auth.signInWithIdToken({
      provider: "google",
      token: await createIdToken(email, { audience: "another-client" }),
    });
    const malformedToken = await client.auth.signInWithIdToken({ provider: "google", token: "no token" });
    const { data, error } = await client.auth.signInWithIdToken({
      provider: "google",
      token: await createIdToken(email, { nonce: nonceHash }),
      nonce,
    });

    expect(foreignToken.error).toMatchObject({ status: 400, message: "Bad ID token" });
    expect(malformedToken.error).toMatchObject({ status: 400, message: "Bad ID token" });
    expect(error).toBeNull();
    expect(data.user?.email).toBe(email);
  });

  test("AUTH-23 an identity is linked and unlinked, but the last one cannot be unlinked", async () => {
    const gil = await signUp(connect, "Gil", "customer");
    const { data, error } = await gil.client.auth.linkIdentity(
      googleOptions(uniqueEmail("other").toLowerCase()),
    );
    expect(error).toBeNull();

    await runOAuthFlow(data.url ?? "");

    const identities = (await gil.client.auth.getUserIdentities()).data?.identities ?? [];
    expect(identities.map((identity) => identity.provider).toSorted()).toEqual(["email", "google"]);
    const [first, last] = identities;
    if (!first || !last) throw new Error("There must be two identities.");
    expect((await gil.client.auth.unlinkIdentity(first)).error).toBeNull();
    expect((await gil.client.auth.unlinkIdentity(last)).error).toMatchObject({
      status: 422,
      code: "single_identity_not_deletable",
    });
  });

  test("AUTH-17 the domain of a company selects its identity provider", async () => {
    await addIdentityProvider();
    const client = anonymousClient(connect);

    const { data } = await client.auth.signInWithSSO({ domain: "rio-rafting.example" });
    const unknownDomain = await client.auth.signInWithSSO({ domain: "rapid-rivals.example" });

    expect(data?.url.startsWith(`${inject("identityProvider")}/saml/sso?SAMLRequest=`)).toBe(true);
    expect(unknownDomain.error).toMatchObject({ status: 404, code: "sso_provider_not_found" });
  });
});

/** Adds the provider. Status 422 means that the test of the other client version has already added it. */
async function addIdentityProvider(): Promise<void> {
  const { url, service_key } = inject("keys");
  const metadata_xml = await fetch(`${inject("identityProvider")}/saml/metadata`).then((response) =>
    response.text(),
  );
  const response = await fetch(`${url}/auth/v1/admin/sso/providers`, {
    method: "POST",
    headers: {
      apikey: service_key,
      authorization: `Bearer ${service_key}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ type: "saml", metadata_xml, domains: ["rio-rafting.example"] }),
  });
  expect([201, 422]).toContain(response.status);
}
