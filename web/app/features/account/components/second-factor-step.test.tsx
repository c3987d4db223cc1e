import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { accounts, authError, ROSA, serve, sessionOf, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { AuthForm } from "./auth-form";
import { RequireRole } from "./require-role";

const FACTOR = {
  id: "f1",
  factor_type: "totp",
  status: "verified",
  friendly_name: "Authenticator app",
};
const USER_FIELDS = { factors: [FACTOR] };
const verifiedSession = { body: sessionOf(ROSA, USER_FIELDS, "aal2") };
const RESPONSES = {
  ...accounts.rosa,
  "POST /auth/v1/token": { body: sessionOf(ROSA, USER_FIELDS) },
  "GET /auth/v1/user": { body: sessionOf(ROSA, USER_FIELDS).user },
  "POST /auth/v1/factors/f1/challenge": { body: { id: "c1", type: "totp", expires_at: 4_102_444_800 } },
};

async function enterPassword() {
  const router = show(<AuthForm initialMode="signin" />, "/signin");
  await userEvent.type(screen.getByLabelText("Email"), "rosa@example.com");
  await userEvent.type(screen.getByLabelText("Password"), "a good password");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  return router;
}

test("with a second factor the password alone does not sign in, but a code does", async () => {
  const requests = serve({ ...RESPONSES, "POST /auth/v1/factors/f1/verify": verifiedSession });
  const router = await enterPassword();

  expect(await screen.findByLabelText("Code")).toHaveFocus();
  expect(router.state.location.pathname).toBe("/signin");
  expect(requests.some(({ path }) => path.startsWith("/rest/"))).toBe(false);
  await userEvent.type(screen.getByLabelText("Code"), "123 456");
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));

  await waitFor(() => expect(router.state.location.pathname).toBe("/dashboard"));
  const verification = requests.find(({ path }) => path.endsWith("/verify"));
  expect(verification?.body).toMatchObject({ challenge_id: "c1", code: "123456" });
});

test("a wrong code is reported beside the field", async () => {
  const wrongCode = authError(422, "mfa_verification_failed", "Invalid TOTP code entered");
  serve({ ...RESPONSES, "POST /auth/v1/factors/f1/verify": wrongCode });
  await enterPassword();

  await userEvent.type(await screen.findByLabelText("Code"), "000000");
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));

  expect(await screen.findByRole("alert")).toHaveTextContent("Invalid TOTP code entered");
});

test("a recovery code can be used instead of the authenticator app", async () => {
  const requests = serve({
    ...RESPONSES,
    "POST /auth/v1/factors/recovery_codes/verify": verifiedSession,
  });
  const router = await enterPassword();

  await userEvent.click(await screen.findByRole("button", { name: "Use a recovery code" }));
  await userEvent.type(screen.getByLabelText("Recovery code"), "abcd-efgh-jkmn-pqrs");
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));

  await waitFor(() => expect(router.state.location.pathname).toBe("/dashboard"));
  const verification = requests.find(({ path }) => path.endsWith("recovery_codes/verify"));
  expect(verification?.body).toEqual({ code: "abcd-efgh-jkmn-pqrs" });
});

test("a pending second factor does not open guarded pages", async () => {
  signInAs(ROSA, USER_FIELDS);
  serve(RESPONSES);
  const router = show(<RequireRole required="company">{() => <p>Secret</p>}</RequireRole>, "/dashboard");

  await waitFor(() => expect(router.state.location.pathname).toBe("/signin"));
});

test("Cancel discards the pending sign-in", async () => {
  serve({ ...RESPONSES, "POST /auth/v1/logout": { status: 204 } });
  await enterPassword();

  await userEvent.click(await screen.findByRole("button", { name: "Cancel" }));

  expect(await screen.findByRole("button", { name: "Sign in" })).toBeVisible();
  expect(localStorage.getItem("sb-cairn-auth-token")).toBeNull();
});
