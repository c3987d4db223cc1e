import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ROSA, serve, sessionOf, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { nextName } from "../api/factors";
import { SecondFactor } from "./second-factor";

const FACTOR = { id: "f1", factor_type: "totp", status: "verified", friendly_name: "Authenticator app" };
const CODES = ["abcd-efgh-jkmn-pqrs", "bcde-fghj-kmnp-qrst"];

/** A server that remembers whether the factor is there. */
function factorDesk(isThere: boolean) {
  const facts = () => (isThere ? { factors: [{ ...FACTOR, created_at: "2026-01-01T00:00:00Z" }] } : {});
  signInAs(ROSA, facts(), isThere ? "aal2" : "aal1");
  const now = () => ({ body: sessionOf(ROSA, facts(), isThere ? "aal2" : "aal1") });
  return serve({
    "GET /auth/v1/user": () => ({ body: now().body.user }),
    "POST /auth/v1/factors": {
      body: { id: "f1", type: "totp", totp: { qr_code: "<svg/>", secret: "SECRET234", uri: "otpauth://x" } },
    },
    "POST /auth/v1/factors/f1/challenge": { body: { id: "c1", type: "totp", expires_at: 4_102_444_800 } },
    "POST /auth/v1/factors/f1/verify": () => {
      isThere = true;
      return now();
    },
    "POST /auth/v1/factors/recovery_codes": { body: { codes: CODES } },
    "DELETE /auth/v1/factors/f1": () => {
      isThere = false;
      return { body: { id: "f1" } };
    },
    "POST /auth/v1/token": now,
  });
}

test("an app is added by scanning and by its first code; then the recovery codes are shown, once", async () => {
  const seen = factorDesk(false);
  show(<SecondFactor />);

  await userEvent.click(await screen.findByRole("button", { name: "Set up an authenticator app" }));
  const picture = await screen.findByRole("img", { name: "QR code for your authenticator app" });
  expect(picture).toHaveAttribute("src", expect.stringContaining("data:image/svg+xml"));
  expect(screen.getByText("SECRET234")).toBeVisible();
  await userEvent.type(screen.getByLabelText("Code"), "123456");
  await userEvent.click(screen.getByRole("button", { name: "Turn on" }));

  for (const code of CODES) expect(await screen.findByText(code)).toBeVisible();
  const enrolled = seen.find(({ path }) => path === "/auth/v1/factors");
  expect(enrolled?.body).toMatchObject({ factor_type: "totp", friendly_name: "Authenticator app" });
  await userEvent.click(screen.getByRole("button", { name: "I have saved them" }));
  expect(screen.queryByText("abcd-efgh-jkmn-pqrs")).toBeNull();
  expect(await screen.findByRole("button", { name: "Remove Authenticator app" })).toBeVisible();
});

test("removing asks once more, and then the session no longer tells of the factor", async () => {
  factorDesk(true);
  show(<SecondFactor />);

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
])("beside %o the next one is called %s", (taken, name) => {
  expect(nextName(taken)).toBe(name);
});
