import { beforeEach, describe, expect, test } from "vitest";
import * as page from "./page.testing";
import { SESSION } from "./fake-server.testing";

const FAR_FUTURE = 9_999_999_999;
const RIO = { id: "c0ffee00-0000-4000-8000-000000000000", name: "Rio Rafting" };
const signIn = (expires_at: number) =>
  localStorage.setItem(
    "sb-cairn-auth-token",
    JSON.stringify({ access_token: "rosa", refresh_token: "once", expires_at }),
  );

page.setUpEachTest();
beforeEach(() => {
  page.server.company = RIO;
});

/** Returns the token of the last request but one, which stored the signature. The last one was sent by the receipt. */
const signingToken = () => page.server.tokens.at(-2);

describe("on a device of the company", () => {
  test("a signature through a sample's link that names no company belongs to the signed-in company", async () => {
    signIn(FAR_FUTURE);
    await page.openTemplate();
    expect(page.waiverText()).toHaveTextContent("join Rio Rafting.");
    await page.sign();

    const [signedRow] = page.server.signedWaivers.values();
    expect(page.server.sessions.get(String(signedRow?.session_id))).toMatchObject({ company_id: RIO.id });
    expect(signingToken()).toBe("rosa");
  });

  test("an expired company session is refreshed before signing", async () => {
    signIn(1);
    await page.openTemplate();
    await page.sign();

    expect(signingToken()).toBe("refreshed");
    expect(localStorage.getItem("sb-cairn-auth-token")).toContain("refreshed");
  });

  test("a waiver of another company is signed anonymously", async () => {
    signIn(FAR_FUTURE);
    await page.openSession({ company_id: "another" });
    await page.sign();

    expect(page.heading("Waiver signed")).toBeVisible();
    expect(signingToken()).toBe("anon");
  });

  test("a rejected access token does not prevent signing", async () => {
    signIn(FAR_FUTURE);
    await page.openSession({ company_id: RIO.id });
    page.server.rejectedTokens = ["rosa"];
    await page.sign();

    expect(page.heading("Waiver signed")).toBeVisible();
    expect(page.server.signedWaivers.size).toBe(1);
  });

  test("a sample that is signed with a guest account opens a new session without a company", async () => {
    page.server.company = undefined;
    signIn(FAR_FUTURE);
    await page.openTemplate();
    await page.sign();

    const [signedRow] = page.server.signedWaivers.values();
    expect(signedRow?.session_id).not.toBe(SESSION.id);
    expect(page.server.sessions.get(String(signedRow?.session_id))).toHaveProperty("company_id", null);
  });
});
