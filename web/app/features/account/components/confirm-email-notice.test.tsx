import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { rosa, showToRosa } from "~/../testing/company";
import { ROSA, serve, sessionOf, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { ConfirmEmailNotice } from "./confirm-email-notice";

afterEach(() => vi.useRealTimers());

const unconfirmed = { email_confirmed_at: undefined };

test("a user with an unconfirmed address sees the notice and can have the email sent again", async () => {
  signInAs(ROSA, unconfirmed);
  const requests = serve({
    "GET /auth/v1/user": { body: sessionOf(ROSA, unconfirmed).user },
    "POST /auth/v1/resend": { body: {} },
  });
  show(<ConfirmEmailNotice account={rosa} />);

  await userEvent.click(await screen.findByRole("button", { name: "Send the mail again" }));

  expect(await screen.findByText("Mail sent")).toBeVisible();
  const resend = requests.find(({ path }) => path === "/auth/v1/resend");
  expect(resend?.body).toMatchObject({ type: "signup", email: "rosa@example.com" });
  expect(resend?.query.get("redirect_to")).toBe(`${window.location.origin}/dashboard`);
});

test("the notice disappears after the address was confirmed on another device", async () => {
  signInAs(ROSA, unconfirmed);
  let isConfirmed = false;
  serve({
    "GET /auth/v1/user": () => ({ body: sessionOf(ROSA, isConfirmed ? {} : unconfirmed).user }),
  });
  show(<ConfirmEmailNotice account={rosa} />);
  await screen.findByText("Is this your address?");

  isConfirmed = true;
  vi.setSystemTime(Date.now() + 60_000);
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));

  await waitFor(() => expect(screen.queryByText("Is this your address?")).toBeNull());
});

test("if the session says that the address is confirmed, no request is sent", async () => {
  const requests = serve({});
  showToRosa(<ConfirmEmailNotice account={rosa} />, "/dashboard");

  await waitFor(() => expect(requests).toEqual([]));
  expect(screen.queryByText("Is this your address?")).toBeNull();
});
