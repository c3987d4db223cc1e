import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ROSA, serve, sessionOf, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { nextFactorName } from "../api/factors";
import { SecondFactorSettings } from "./second-factor-settings";

const FACTOR = { id: "f1", factor_type: "totp", status: "verified", friendly_name: "Authenticator app" };
const CODES = ["abcd-efgh-jkmn-pqrs", "bcde-fghj-kmnp-qrst"];

/** Stubs an auth service that remembers whether the factor exists. */
function serveFactors(isEnrolled: boolean) {
  const userFields = () =>
    isEnrolled ? { factors: [{ ...FACTOR, created_at: "2026-01-01T00:00:00Z" }] } : {};
  signInAs(ROSA, userFields(), isEnrolled ? "aal2" : "aal1");
  const currentSession = () => ({ body: sessionOf(ROSA, userFields(), isEnrolled ? "aal2" : "aal1") });
  return serve({
    "GET /auth/v1/user": () => ({ body: currentSession().body.user }),
    "POST /auth/v1/factors": {
      body: { id: "f1", type: "totp", totp: { qr_code: "<svg/>", secret: "SECRET234", uri: "otpauth://x" } },
    },
    "POST /auth/v1/factors/f1/challenge": { body: { id: "c1", type: "totp", expires_at: 4_102_444_800 } },
    "POST /auth/v1/factors/f1/verify": () => {
      isEnrolled = true;
      return currentSession();
    },
    "POST /auth/v1/factors/recovery_codes": { body: { codes: CODES } },
    "DELETE /auth/v1/factors/f1": () => {
      isEnrolled = false;
      return { body: { id: "f1" } };
    },
    "POST /auth/v1/token": currentSession,
  });
}

test("an authenticator app is added after its first code, and the recovery codes are shown only once", async () => {
  const requests = serveFactors(false);
  show(<SecondFactorSettings />);

  await userEvent.click(await screen.findByRole("button", { name: "Set up an authenticator app" }));
  const qrCode = await screen.findByRole("img", { name: "QR code for your authenticator app" });
  expect(qrCode).toHaveAttribute("src", expect.stringContaining("data:image/svg+xml"));
  expect(screen.getByText("SECRET234")).toBeVisible();
  await userEvent.type(screen.getByLabelText("Code"), "123456");
  await userEvent.click(screen.getByRole("button", { name: "Turn on" }));

  for (const code of CODES) expect(await screen.findByText(code)).toBeVisible();
  const enrolment = requests.find(({ path }) => path === "/auth/v1/factors");
  expect(enrolment?.body).toMatchObject({ factor_type: "totp", friendly_name: "Authenticator app" });
  await userEvent.click(screen.getByRole("button", { name: "I have saved them" }));
  expect(screen.queryByText("abcd-efgh-jkmn-pqrs")).toBeNull();
  expect(await screen.findByRole("button", { name: "Remove Authenticator app" })).toBeVisible();
});

test("removing a factor asks for confirmation and refreshes the session", async () => {
  serveFactors(true);
  show(<SecondFactorSettings />);

  await userEvent.click(await screen.findByRole("button", { name: "Remove Authenticator app" }));
  expect(screen.getByText("Your password alone will then open the account.")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Remove" }));

  expect(await screen.findByRole("button", { name: "Set up an authenticator app" })).toBeVisible();
  await waitFor(() => expect(localStorage.getItem("sb-cairn-auth-token")).not.toContain("Authenticator app"));
});

test.each([
  [[], "Authenticator app"],
  [["Authenticator app"], "Authenticator app 2"],
  [["Authenticator app 2", "my key"], "Authenticator app"],
  [["Authenticator app", "Authenticator app 2"], "Authenticator app 3"],
])("if factors with the names %o exist, the next factor is called %s", (existingNames, name) => {
  expect(nextFactorName(existingNames)).toBe(name);
});
