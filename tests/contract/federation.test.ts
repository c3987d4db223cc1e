import { createHash } from "node:crypto";

import { describe, expect, inject, test } from "vitest";

import { address, CLIENTS, connectWithPkce, signUp, stranger } from "./cast";

/** Follows the way a browser goes: to the provider's page, the button there, our callback; answers where it lands. */
async function journey(start: string): Promise<URL> {
  const page = await fetch(start, { redirect: "follow" }).then((answer) => answer.text());
  const button = /id="yes" href="([^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&");
  if (!button) throw new Error(`no button to press on: ${page}`);
  const landed = await fetch(button, { redirect: "manual" });
  return new URL(landed.headers.get("location") ?? "");
}

function idToken(email: string, more: Record<string, string> = {}): Promise<string> {
  const asked = new URLSearchParams({ email, ...more });
  return fetch(`${inject("elsewhere")}/mint?${asked}`).then((answer) => answer.text());
}

const home = () => `${inject("keys").url}/dashboard`;
const withGoogle = (email: string) => ({
  provider: "google" as const,
  options: { redirectTo: home(), skipBrowserRedirect: true, queryParams: { login_hint: email } },
});

describe.each(CLIENTS)("getting in through others, by the client %s", (version, connect) => {
  test("AUTH-11 AUTH-14 Google by PKCE: the code is good once, for the tab that began", async () => {
    const email = address("rosa").toLowerCase();
    const tab = connectWithPkce(version);
    const { data } = await tab.auth.signInWithOAuth(withGoogle(email));
    const landed = await journey(data.url ?? "");
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

  test("AUTH-14 Google by the implicit form: the session arrives in the fragment", async () => {
    const email = address("rosa").toLowerCase();
    const client = stranger(connect);
    const { data } = await client.auth.signInWithOAuth(withGoogle(email));

    const landed = await journey(data.url ?? "");
    const told = new URLSearchParams(landed.hash.slice(1));
    const { data: held, error } = await client.auth.setSession({
      access_token: told.get("access_token") ?? "",
      refresh_token: told.get("refresh_token") ?? "",
    });

    expect(error).toBeNull();
    expect(held.user?.email).toBe(email);
  });

  test("AUTH-12 an id token signs in, and not if it was made for others", async () => {
    const email = address("gil").toLowerCase();
    const client = stranger(connect);
    const nonce = "only this once";
    const hashed = createHash("sha256").update(nonce).digest("hex");

    const foreign = await client.auth.signInWithIdToken({
      provider: "google",
      token: await idToken(email, { audience: "somebody-else" }),
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

  test("AUTH-23 an identity is linked and unlinked, but never the last", async () => {
    const gil = await signUp(connect, "Gil", "customer");
    const { data, error } = await gil.client.auth.linkIdentity(withGoogle(address("other").toLowerCase()));
    expect(error).toBeNull();

    await journey(data.url ?? "");

    const identities = (await gil.client.auth.getUserIdentities()).data?.identities ?? [];
    expect(identities.map((identity) => identity.provider).toSorted()).toEqual(["email", "google"]);
    const [first, last] = identities;
    if (!first || !last) throw new Error("there are two");
    expect((await gil.client.auth.unlinkIdentity(first)).error).toBeNull();
    expect((await gil.client.auth.unlinkIdentity(last)).error).toMatchObject({
      status: 422,
      code: "single_identity_not_deletable",
    });
  });

  test("AUTH-17 a company's domain leads to its identity provider", async () => {
    await identityProvider();
    const client = stranger(connect);

    const { data } = await client.auth.signInWithSSO({ domain: "rio-rafting.example" });
    const unknown = await client.auth.signInWithSSO({ domain: "rapid-rivals.example" });

    expect(data?.url.startsWith(`${inject("elsewhere")}/saml/sso?SAMLRequest=`)).toBe(true);
    expect(unknown.error).toMatchObject({ status: 404, code: "sso_provider_not_found" });
  });
});

/** Set up once; the second client finds it there. */
async function identityProvider(): Promise<void> {
  const { url, service_key } = inject("keys");
  const metadata_xml = await fetch(`${inject("elsewhere")}/saml/metadata`).then((answer) => answer.text());
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
