import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { openRedirectUrl, sessionFragment } from "~/../testing/open-redirect-url";
import { GIL, ROSA, serve, sessionOf, signInAs } from "~/../testing/server";
import { isRecovering } from "~/lib/browser-cache";
import { storedSession } from "~/lib/stored-session";
import { shownToast } from "~/ui/toast-store";
import { announceRedirectResult } from "../announce-redirect-result";
import AccountChoiceDialog from "./account-choice-dialog";

const TOKEN_BELONGS_TO_GIL = { "GET /auth/v1/user": { body: sessionOf(GIL).user } };

/** Opens the URL while Rosa is signed in. Returns the path at which she goes on, or null if she stays on the page. */
function openAsRosa(url: string): Promise<string | null> {
  signInAs(ROSA);
  render(<AccountChoiceDialog />);
  openRedirectUrl(url);
  return announceRedirectResult(window.location.pathname);
}

test("B14 a link to another account changes nothing before the user has chosen", async () => {
  serve(TOKEN_BELONGS_TO_GIL);
  const before = sessionStorage.length;

  void openAsRosa(`/dashboard${sessionFragment(GIL, "recovery")}`);

  const dialog = await screen.findByRole("dialog", { name: "Do you want to switch accounts?" });
  expect(dialog).toHaveAccessibleDescription(
    "This link signs you in as gil@example.com. You are signed in as rosa@example.com.",
  );
  expect(storedSession()?.user.id).toBe(ROSA.id);
  expect([isRecovering(), sessionStorage.length, localStorage.length]).toEqual([false, before, 1]);
  await userEvent.keyboard("{Escape}");
});

test.each(["the button", "the Escape key"])("B14 %s keeps the user in the current account", async (means) => {
  serve(TOKEN_BELONGS_TO_GIL);
  const nextPath = openAsRosa(`/dashboard${sessionFragment(GIL, "recovery")}`);
  const stay = await screen.findByRole("button", { name: "Stay signed in" });

  if (means === "the button") await userEvent.click(stay);
  else await userEvent.keyboard("{Escape}");

  expect(await nextPath).toBeNull();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(storedSession()?.user.id).toBe(ROSA.id);
  expect(isRecovering()).toBe(false);
});

test("B14 the user continues with the account of the link", async () => {
  serve(TOKEN_BELONGS_TO_GIL);
  const nextPath = openAsRosa(`/dashboard${sessionFragment(GIL, "magiclink")}`);

  await userEvent.click(await screen.findByRole("button", { name: "Switch accounts" }));

  expect(await nextPath).toBeNull();
  expect(storedSession()?.user.id).toBe(GIL.id);
  expect(shownToast()).toMatchObject({
    title: "Signed in",
    description: "You are signed in as gil@example.com.",
  });
});

test("B14 a link to the account that is signed in needs no choice", async () => {
  serve({ "GET /auth/v1/user": { body: sessionOf(ROSA).user } });

  await openAsRosa(`/dashboard${sessionFragment(ROSA, "signup")}`);

  expect(screen.queryByRole("dialog")).toBeNull();
  expect(shownToast()?.title).toBe("Email confirmed");
});

test("B14 a link with an expired access token of Rosa and a refresh token of Gil still needs a choice", async () => {
  serve({ "POST /auth/v1/token": { body: sessionOf(GIL) }, ...TOKEN_BELONGS_TO_GIL });
  const claims = btoa(JSON.stringify({ sub: ROSA.id, email: ROSA.email, exp: 1 })).replaceAll("=", "");
  const header = btoa(JSON.stringify({ alg: "ES256", typ: "JWT" })).replaceAll("=", "");

  void openAsRosa(`/dashboard#access_token=${header}.${claims}.e30&refresh_token=of-gil&type=magiclink&sb=`);

  expect(await screen.findByRole("button", { name: "Switch accounts" })).toBeVisible();
  expect(storedSession()?.user.id).toBe(ROSA.id);
  await userEvent.keyboard("{Escape}");
});

test("B14 a link with a session that has ended does not sign the user out", async () => {
  serve({
    "GET /auth/v1/user": {
      status: 403,
      body: { code: "session_not_found", message: "Session from session_id claim in JWT does not exist" },
      headers: { "x-supabase-api-version": "2024-01-01" },
    },
  });

  await openAsRosa(`/dashboard${sessionFragment(GIL, "magiclink")}`);

  await waitFor(() => expect(shownToast()?.title).toBe("This link did not work"));
  expect(storedSession()?.user.id).toBe(ROSA.id);
});
