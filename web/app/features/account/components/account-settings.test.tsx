import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { rosa } from "~/../testing/company";
import { ROSA, serve, sessionOf, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { AccountSettings } from "./account-settings";

const HEADERS = { "x-supabase-api-version": "2024-01-01" };
const person = sessionOf(ROSA).user;
const known = { "GET /auth/v1/user": { body: person } };

function open(answers: Parameters<typeof serve>[0] = {}) {
  signInAs(ROSA, { app_metadata: { providers: ["email"] } });
  const seen = serve({ ...known, ...answers });
  const router = show(
    <AccountSettings account={rosa} afterSignOut="/" />,
    "/dashboard/profile?section=security",
  );
  return { seen, router };
}

async function change(current: string, next: string) {
  await userEvent.type(await screen.findByLabelText("Current password"), current);
  await userEvent.type(screen.getByLabelText("New password"), next);
  await userEvent.click(screen.getByRole("button", { name: "Change password" }));
}

const refusal = (status: number, code: string, message: string) => ({
  status,
  body: { code, message },
  headers: HEADERS,
});

test("PROF-01 there is a profile card, and an Account Management card that opens Password & Security", async () => {
  signInAs(ROSA);
  serve(known);
  show(<AccountSettings account={rosa} afterSignOut="/" />, "/dashboard/profile");

  expect(screen.getByRole("region", { name: "Profile" })).toBeVisible();
  const management = within(screen.getByRole("region", { name: "Account Management" }));
  expect(management.getByRole("button", { name: /Sign Out/ })).toBeVisible();
  await userEvent.click(management.getByRole("link", { name: /Password & Security/ }));

  expect(await screen.findByRole("region", { name: "Password & Security" })).toBeVisible();
});

test("PROF-04 the password is changed through PUT /user, and the person is told what that ended", async () => {
  const { seen } = open({ "PUT /auth/v1/user": { body: person } });

  await change("the old one", "a brand new one");

  expect(await screen.findByText("Every other session was signed out.")).toBeVisible();
  const put = seen.find(({ method }) => method === "PUT");
  expect(put?.path).toBe("/auth/v1/user");
  expect(put?.body).toMatchObject({ password: "a brand new one", current_password: "the old one" });
  expect(screen.getByLabelText("New password")).toHaveValue("");
});

test.each([
  [
    "invalid_credentials",
    "Invalid login credentials",
    "Current password",
    "This is not your current password",
  ],
  ["weak_password", "Password is known to be weak.", "New password", "Password is known to be weak."],
])("%s is told beside the field it is about", async (code, message, field, words) => {
  open({ "PUT /auth/v1/user": refusal(422, code, message) });

  await change("the old one", "password1");

  expect(await screen.findByText(words)).toBeVisible();
  expect(screen.getByLabelText(field)).toHaveAccessibleDescription(expect.stringContaining(words));
});

test("where the server asks for a fresh proof, a code is mailed and sent along", async () => {
  const { seen } = open({
    "GET /auth/v1/reauthenticate": { body: {} },
    "PUT /auth/v1/user": ({ body }) =>
      JSON.stringify(body).includes("123456")
        ? { body: person }
        : refusal(400, "reauthentication_needed", "Password update requires reauthentication"),
  });

  await change("the old one", "a brand new one");
  await userEvent.type(await screen.findByLabelText("Code from the mail"), "123456");
  await userEvent.click(screen.getByRole("button", { name: "Change password" }));

  expect(await screen.findByText("Password changed")).toBeVisible();
  expect(seen.filter(({ path }) => path === "/auth/v1/reauthenticate")).toHaveLength(1);
  expect(seen.findLast(({ method }) => method === "PUT")?.body).toMatchObject({ nonce: "123456" });
});

test.each([
  ["Sign out other sessions", "others", "This is now your only session.", "/dashboard/profile"],
  ["Sign out everywhere", "global", "On this device and on every other.", "/"],
])("%s ends the sessions of scope %s", async (button, scope, words, place) => {
  const { seen, router } = open({ "POST /auth/v1/logout": { status: 204 } });

  await userEvent.click(await screen.findByRole("button", { name: button }));

  expect(await screen.findByText(words)).toBeVisible();
  await waitFor(() => expect(router.state.location.pathname).toBe(place));
  expect(seen.find(({ path }) => path === "/auth/v1/logout")?.query.get("scope")).toBe(scope);
});
