import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { openRedirectUrl, sessionFragment } from "~/../testing/open-redirect-url";
import { accounts, authError, ROSA, serve, sessionOf } from "~/../testing/server";
import { show } from "~/../testing/show";
import { PasswordRecovery } from "./password-recovery";

const rosaResponses = { ...accounts.rosa, "GET /auth/v1/user": { body: sessionOf(ROSA).user } };

test("ROUTE-11 the page sends a recovery email and does not reveal whether the account exists", async () => {
  const requests = serve({ "POST /auth/v1/recover": { body: {} } });
  show(<PasswordRecovery />, "/forgot-password");

  await userEvent.type(await screen.findByLabelText("Email"), "unknown@example.com");
  await userEvent.click(screen.getByRole("button", { name: "Send me a link" }));

  expect(await screen.findByText(/If an account belongs to/)).toBeVisible();
  const [request] = requests;
  expect(request?.path).toBe("/auth/v1/recover");
  expect(request?.body).toMatchObject({ email: "unknown@example.com" });
  expect(request?.query.get("redirect_to")).toBe(`${window.location.origin}/forgot-password`);
});

test("the rate limit for emails is reported beside the field", async () => {
  const message = "For security purposes, you can only request this after 40 seconds.";
  serve({ "POST /auth/v1/recover": authError(429, "over_email_send_rate_limit", message) });
  show(<PasswordRecovery />, "/forgot-password");

  await userEvent.type(await screen.findByLabelText("Email"), "rosa@example.com");
  await userEvent.click(screen.getByRole("button", { name: "Send me a link" }));

  expect(await screen.findByRole("alert")).toHaveTextContent(message);
  expect(screen.getByLabelText("Email")).toHaveAccessibleDescription(message);
});

test("ROUTE-11 opened from the emailed link, the page explains a weak password, accepts a better one, and opens the home page", async () => {
  const reasons = { weak_password: { reasons: ["length"] } };
  let wasRejected = false;
  const requests = serve({
    ...rosaResponses,
    "PUT /auth/v1/user": () => {
      if (wasRejected) return { body: sessionOf(ROSA).user };
      wasRejected = true;
      const message = "Password should be at least 8 characters.";
      return authError(422, "weak_password", message, reasons);
    },
  });
  openRedirectUrl(`/forgot-password${sessionFragment(ROSA, "recovery")}`);
  const router = show(<PasswordRecovery />, "/forgot-password");

  await userEvent.type(await screen.findByLabelText("New password"), "short");
  await userEvent.click(screen.getByRole("button", { name: "Save password" }));
  expect(await screen.findByText("Password should be at least 8 characters.")).toBeVisible();
  await userEvent.type(screen.getByLabelText("New password"), " but not any more");
  await userEvent.click(screen.getByRole("button", { name: "Save password" }));

  await waitFor(() => expect(router.state.location.pathname).toBe("/dashboard"));
  const [, change] = requests.filter(({ method }) => method === "PUT");
  expect(change?.body).toMatchObject({ password: "short but not any more" });
  expect(await screen.findByText("Password changed")).toBeVisible();
});

test("a page that stayed open for a day says that a new link is needed", async () => {
  const tooOld = authError(400, "reauthentication_needed", "Password update requires reauthentication");
  serve({ ...rosaResponses, "PUT /auth/v1/user": tooOld });
  openRedirectUrl(`/forgot-password${sessionFragment(ROSA, "recovery")}`);
  show(<PasswordRecovery />, "/forgot-password");

  await userEvent.type(await screen.findByLabelText("New password"), "ten rapids before noon");
  await userEvent.click(screen.getByRole("button", { name: "Save password" }));

  expect(await screen.findByText(/request a new one/)).toBeVisible();
});

test("a link that was already used is reported, and a new email is offered", async () => {
  serve({});
  openRedirectUrl(
    "/forgot-password#error=access_denied&error_code=otp_expired&error_description=Too+late&sb=",
  );
  show(<PasswordRecovery />, "/forgot-password");

  expect(await screen.findByText("This link no longer works.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Send me a link" })).toBeVisible();
});

test("with a second factor the link alone does not allow a new password", async () => {
  const factors = [{ id: "f1", factor_type: "totp", status: "verified" }];
  serve({
    ...accounts.rosa,
    "GET /auth/v1/user": { body: sessionOf(ROSA, { factors }).user },
    "POST /auth/v1/factors/f1/challenge": { body: { id: "c1", type: "totp", expires_at: 4_102_444_800 } },
    "POST /auth/v1/factors/f1/verify": { body: sessionOf(ROSA, { factors }, "aal2") },
  });
  openRedirectUrl(`/forgot-password${sessionFragment(ROSA, "recovery")}`);
  show(<PasswordRecovery />, "/forgot-password");

  await userEvent.type(await screen.findByLabelText("Code"), "123456");
  expect(screen.queryByLabelText("New password")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));

  expect(await screen.findByLabelText("New password")).toBeVisible();
});
