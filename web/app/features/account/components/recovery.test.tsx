import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { openAddress, sessionFragment } from "~/../testing/open-address";
import { accounts, ROSA, serve, sessionOf } from "~/../testing/server";
import { show } from "~/../testing/show";
import { Recovery } from "./recovery";

const API = { "x-supabase-api-version": "2024-01-01" };
const rosa = { ...accounts.rosa, "GET /auth/v1/user": { body: sessionOf(ROSA).user } };

test("ROUTE-11 the page asks for an email, has a mail sent, and does not say whether the account exists", async () => {
  const seen = serve({ "POST /auth/v1/recover": { body: {} } });
  show(<Recovery />, "/forgot-password");

  await userEvent.type(await screen.findByLabelText("Email"), "nobody@example.com");
  await userEvent.click(screen.getByRole("button", { name: "Send me a link" }));

  expect(await screen.findByText(/If an account belongs to/)).toBeVisible();
  const [asked] = seen;
  expect(asked?.path).toBe("/auth/v1/recover");
  expect(asked?.body).toMatchObject({ email: "nobody@example.com" });
  expect(asked?.query.get("redirect_to")).toBe(`${window.location.origin}/forgot-password`);
});

test("a mail that cannot be sent right now is told beside the field", async () => {
  const message = "For security purposes, you can only request this after 40 seconds.";
  serve({
    "POST /auth/v1/recover": {
      status: 429,
      body: { code: "over_email_send_rate_limit", message },
      headers: API,
    },
  });
  show(<Recovery />, "/forgot-password");

  await userEvent.type(await screen.findByLabelText("Email"), "rosa@example.com");
  await userEvent.click(screen.getByRole("button", { name: "Send me a link" }));

  expect(await screen.findByRole("alert")).toHaveTextContent(message);
  expect(screen.getByLabelText("Email")).toHaveAccessibleDescription(message);
});

test("ROUTE-11 opened from the mailed link it takes a new password, explains a weak one, and goes home", async () => {
  const reasons = { weak_password: { reasons: ["length"] } };
  let refused = false;
  const seen = serve({
    ...rosa,
    "PUT /auth/v1/user": () => {
      if (refused) return { body: sessionOf(ROSA).user };
      refused = true;
      const message = "Password should be at least 8 characters.";
      return { status: 422, body: { code: "weak_password", message, ...reasons }, headers: API };
    },
  });
  openAddress(`/forgot-password${sessionFragment(ROSA, "recovery")}`);
  const router = show(<Recovery />, "/forgot-password");

  await userEvent.type(await screen.findByLabelText("New password"), "short");
  await userEvent.click(screen.getByRole("button", { name: "Save password" }));
  expect(await screen.findByText("Password should be at least 8 characters.")).toBeVisible();
  await userEvent.type(screen.getByLabelText("New password"), " but not any more");
  await userEvent.click(screen.getByRole("button", { name: "Save password" }));

  await waitFor(() => expect(router.state.location.pathname).toBe("/dashboard"));
  const [, change] = seen.filter(({ method }) => method === "PUT");
  expect(change?.body).toMatchObject({ password: "short but not any more" });
  expect(await screen.findByText("Password changed")).toBeVisible();
});

test("a link that is used up says so and offers a new mail", async () => {
  serve({});
  openAddress("/forgot-password#error=access_denied&error_code=otp_expired&error_description=Too+late&sb=");
  show(<Recovery />, "/forgot-password");

  expect(await screen.findByText("This link no longer works.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Send me a link" })).toBeVisible();
});

test("a link alone does not replace the password of someone with a second factor", async () => {
  const factors = [{ id: "f1", factor_type: "totp", status: "verified" }];
  serve({
    ...accounts.rosa,
    "GET /auth/v1/user": { body: sessionOf(ROSA, { factors }).user },
    "POST /auth/v1/factors/f1/challenge": { body: { id: "c1", type: "totp", expires_at: 4_102_444_800 } },
    "POST /auth/v1/factors/f1/verify": { body: sessionOf(ROSA, { factors }, "aal2") },
  });
  openAddress(`/forgot-password${sessionFragment(ROSA, "recovery")}`);
  show(<Recovery />, "/forgot-password");

  await userEvent.type(await screen.findByLabelText("Code"), "123456");
  expect(screen.queryByLabelText("New password")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));

  expect(await screen.findByLabelText("New password")).toBeVisible();
});
