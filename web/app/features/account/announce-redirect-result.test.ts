import { expect, test } from "vitest";
import { openRedirectUrl, sessionFragment } from "~/../testing/open-redirect-url";
import { accounts, GIL, ROSA, serve, sessionOf } from "~/../testing/server";
import { shownToast } from "~/ui/toast-store";
import { announceRedirectResult } from "./announce-redirect-result";

const rosaResponses = { ...accounts.rosa, "GET /auth/v1/user": { body: sessionOf(ROSA).user } };

test("ERR-03 an error from Google is shown", async () => {
  openRedirectUrl("/dashboard?error=access_denied&error_code=provider_refused&error_description=No");

  expect(await announceRedirectResult("/dashboard")).toBeNull();

  expect(shownToast()).toMatchObject({
    title: "Google sign in failed",
    description: "Google did not sign you in. Please try again, or sign in with your email address.",
    destructive: true,
  });
});

// The code `constructor` is also the name of a property that every JavaScript object has.
test.each([
  "/dashboard?error=x&error_description=Call+888-1234+at+once",
  "/dashboard#error=x&error_code=constructor&error_description=Call+888-1234+at+once",
  "/dashboard#error=Call+888-1234&error_code=otp_expired&sb=",
  "/dashboard#message=Call+888-1234+at+once&sb=",
])("AL8 a text from the URL %s is not shown as a message of the site", async (path) => {
  openRedirectUrl(path);

  await announceRedirectResult("/dashboard");

  expect(shownToast()?.description, "a whole sentence").toMatch(/^[A-Z].*\.$/);
  expect(JSON.stringify(shownToast())).not.toContain("888");
});

test("a code from Google opens no session if this tab did not start the sign-in", async () => {
  const requests = serve({});
  openRedirectUrl("/dashboard?code=from-another-tab");

  await announceRedirectResult("/dashboard");

  expect(shownToast()).toMatchObject({ title: "Google sign in failed", destructive: true });
  expect(requests).toEqual([]);
  expect(localStorage.getItem("sb-cairn-auth-token")).toBeNull();
});

test("a confirmed address is announced, and the session of the link is stored", async () => {
  serve(rosaResponses);
  openRedirectUrl(`/dashboard${sessionFragment(ROSA, "signup")}`);

  expect(await announceRedirectResult("/dashboard")).toBeNull();

  expect(shownToast()).toMatchObject({
    title: "Email confirmed",
    description: "You are signed in as rosa@example.com.",
  });
  expect(JSON.parse(localStorage.getItem("sb-cairn-auth-token") ?? "{}").user.id).toBe(ROSA.id);
});

test("an emailed link that was already used is reported", async () => {
  openRedirectUrl("/dashboard#error=access_denied&error_code=otp_expired&error_description=Too+late&sb=");

  await announceRedirectResult("/dashboard");

  expect(shownToast()).toMatchObject({
    title: "This link did not work",
    description: expect.stringContaining("expired"),
  });
});

test("a sign-in link to the front page redirects to the user's home page", async () => {
  serve({ ...accounts.gil, "GET /auth/v1/user": { body: sessionOf(GIL).user } });
  openRedirectUrl(`/${sessionFragment(GIL, "magiclink")}`);

  expect(await announceRedirectResult("/")).toBe("/guest-dashboard");
});

test("H1 a link that removed the password of an impostor leads the owner to the page for a new password", async () => {
  const user = sessionOf(ROSA, { app_metadata: { providers: ["email"], password_removed: true } }).user;
  serve({ ...accounts.rosa, "GET /auth/v1/user": { body: user } });
  openRedirectUrl(`/dashboard${sessionFragment(ROSA, "magiclink")}`);

  expect(await announceRedirectResult("/dashboard")).toBe("/forgot-password");

  expect(sessionStorage.getItem("recovering")).toBe("true");
});

test("H1 a recovery link to any page leads to the page for a new password", async () => {
  serve(rosaResponses);
  openRedirectUrl(`/dashboard${sessionFragment(ROSA, "recovery")}`);

  expect(await announceRedirectResult("/dashboard")).toBe("/forgot-password");
});

test("the outcome of a redirect is announced only once", async () => {
  openRedirectUrl("/dashboard#message=Now+the+other+address&sb=");

  await announceRedirectResult("/dashboard");
  expect(shownToast()?.description).toContain("the other address");

  expect(await announceRedirectResult("/dashboard")).toBeNull();
});
