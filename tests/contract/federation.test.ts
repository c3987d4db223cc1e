import { createHash } from "node:crypto";

import { describe, expect, inject, test } from "vitest";

import { uniqueEmail, CLIENTS, connectWithPkce, signUp, anonymousClient } from "./cast";

/** Runs the redirects of a browser: provider page, its button, our callback. Returns the final address. */
async function runOAuthFlow(start: string): Promise<URL> {
  const page = await fetch(start, { redirect: "follow" }).then((response) => response.text());
  const button = /id="yes" href="([^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&");
  if (!button) throw new Error(`The provider page has no button: ${page}`);
  const landed = await fetch(button, { redirect: "manual" });
  return new URL(landed.headers.get("location") ?? "");
}

function idToken(email: string, claims: Record<string, string> = {}): Promise<string> {
  const query = new URLSearchParams({ email, ...claims });
  return fetch(`${inject("identityProvider")}/mint?${query}`).then((response) => response.text());
}

const home = () => `${inject("keys").url}/dashboard`;
const withGoogle = (email: string) => ({
  provider: "google" as const,
  options: { redirectTo: home(), skipBrowserRedirect: true, queryParams: { login_hint: email } },
});

describe.each(CLIENTS)("federated sign-in, through the client %s", (version, connect) => {
  test("AUTH-11 AUTH-14 with Google and PKCE the code works once, in the tab that started", async () => {
    const email = uniqueEmail("rosa").toLowerCase();
    const tab = connectWithPkce(version);
    const { data } = await tab.auth.signInWithOAuth(withGoogle(email));
    const landed = await runOAuthFlow(data.url ?? "");
    expect(landed.href.startsWith(`${home()}?code=`)).toBe(true);
    const code = landed.searchParams.get("code") ?? "";

    const otherTab = connectWithPkce(version);
    await otherTab.auth.signInWithOAuth(withGoogle(email));
    const stolen = await otherTab.auth.exchangeCodeForSession(code);
    const session = await tab.auth.exchangeCodeForSession(code);
    await tab.auth.signInWithOAuth(withGoogle(email));
    const replayed = await tab.auth.exchangeCodeForSession(code);

    expect(stolen.error).toMatchObject({ status: 400, code: "bad_code_verifier" });
    expect(session.error).toBeNull();
    expect(session.data.user).toMatchObject({ email, app_metadata: { provider: "google", role: "company" } });
    expect(session.data.session?.provider_token).toBe(`access-${email}`);
    expect(replayed.error).toMatchObject({ status: 404, code: "flow_state_not_found" });
  });

  test("AUTH-14 with Google and the implicit flow the session is in the fragment", async () => {
    const email = uniqueEmail("rosa").toLowerCase();
    const client = anonymousClient(connect);
    const { data } = await client.auth.signInWithOAuth(withGoogle(email));

    const landed = await runOAuthFlow(data.url ?? "");
    const fragment = new URLSearchParams(landed.hash.slice(1));
    const { data: session, error } = await client.auth.setSession({
      access_token: fragment.get("access_token") ?? "",
      refresh_token: fragment.get("refresh_token") ?? "",
    });

    expect(error).toBeNull();
    expect(session.user?.email).toBe(email);
  });

  test("AUTH-12 an ID token signs in, unless it has another audience", async () => {
    const email = uniqueEmail("gil").toLowerCase();
    const client = anonymousClient(connect);
    const nonce = "only this once";
    const hashed = createHash("sha256").update(nonce).digest("hex");

    const foreign = await client.auth.signInWithIdToken({
      provider: "google",
      token: await idToken(email, { audience: "another-client" }),
    });
    const { data, error } = await client.auth.signInWithIdToken({
      provider: "google",
      token: await idToken(email, { nonce: hashed }),
      nonce,
    });

    expect(foreign.error).toMatchObject({ status: 400, message: "Bad ID token" });
    expect(error).toBeNull();
    expect(data.user?.email).toBe(email);
  });

  test("AUTH-23 an identity is linked and unlinked, but the last one cannot be unlinked", async () => {
    const gil = await signUp(connect, "Gil", "customer");
    const { data, error } = await gil.client.auth.linkIdentity(
      withGoogle(uniqueEmail("other").toLowerCase()),
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
    const unknown = await client.auth.signInWithSSO({ domain: "rapid-rivals.example" });

    expect(data?.url.startsWith(`${inject("identityProvider")}/saml/sso?SAMLRequest=`)).toBe(true);
    expect(unknown.error).toMatchObject({ status: 404, code: "sso_provider_not_found" });
  });
});

/** Status 422 means that the test of the other client has already added it. */
async function addIdentityProvider(): Promise<void> {
  const { url, service_key } = inject("keys");
  const metadata_xml = await fetch(`${inject("identityProvider")}/saml/metadata`).then((response) =>
    response.text(),
  );
  const added = await fetch(`${url}/auth/v1/admin/sso/providers`, {
    method: "POST",
    headers: {
      apikey: service_key,
      authorization: `Bearer ${service_key}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ type: "saml", metadata_xml, domains: ["rio-rafting.example"] }),
  });
  expect([201, 422]).toContain(added.status);
}
