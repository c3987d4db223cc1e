import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { rosa } from "~/../testing/company";
import { authError, ROSA, serve, sessionOf, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { AccountSettings } from "./account-settings";

const user = sessionOf(ROSA).user;
const userResponse = { "GET /auth/v1/user": { body: user } };

function open(responses: Parameters<typeof serve>[0] = {}) {
  signInAs(ROSA, { app_metadata: { providers: ["email"] } });
  const requests = serve({ ...userResponse, ...responses });
  const router = show(
    <AccountSettings account={rosa} pathAfterSignOut="/" />,
    "/dashboard/profile?section=security",
  );
  return { requests, router };
}

async function changePassword(currentPassword: string, newPassword: string) {
  await userEvent.type(await screen.findByLabelText("Current password"), currentPassword);
  await userEvent.type(screen.getByLabelText("New password"), newPassword);
  await userEvent.click(screen.getByRole("button", { name: "Change password" }));
}

test("PROF-01 there is a profile card, and the Account Management card opens Password & Security", async () => {
  signInAs(ROSA);
  serve(userResponse);
  show(<AccountSettings account={rosa} pathAfterSignOut="/" />, "/dashboard/profile");

  expect(screen.getByRole("region", { name: "Profile" })).toBeVisible();
  const management = within(screen.getByRole("region", { name: "Account Management" }));
  expect(management.getByRole("button", { name: /Sign Out/ })).toBeVisible();
  await userEvent.click(management.getByRole("link", { name: /Password & Security/ }));

  expect(await screen.findByRole("region", { name: "Password & Security" })).toBeVisible();
});

test("PROF-04 the password is changed through PUT /user, and the toast says that other sessions ended", async () => {
  const { requests } = open({ "PUT /auth/v1/user": { body: user } });

  await changePassword("the old one", "a brand new one");

  expect(await screen.findByText("Every other session was signed out.")).toBeVisible();
  const put = requests.find(({ method }) => method === "PUT");
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
])("the error %s is shown beside its field", async (code, message, field, text) => {
  open({ "PUT /auth/v1/user": authError(422, code, message) });

  await changePassword("the old one", "password1");

  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.getByLabelText(field)).toHaveAccessibleDescription(expect.stringContaining(text));
});

test("if the server demands reauthentication, an emailed code is required", async () => {
  const { requests } = open({
    "GET /auth/v1/reauthenticate": { body: {} },
    "PUT /auth/v1/user": ({ body }) =>
      JSON.stringify(body).includes("123456")
        ? { body: user }
        : authError(400, "reauthentication_needed", "Password update requires reauthentication"),
  });

  await changePassword("the old one", "a brand new one");
  await userEvent.type(await screen.findByLabelText("Code from the mail"), "123456");
  await userEvent.click(screen.getByRole("button", { name: "Change password" }));

  expect(await screen.findByText("Password changed")).toBeVisible();
  expect(requests.filter(({ path }) => path === "/auth/v1/reauthenticate")).toHaveLength(1);
  expect(requests.findLast(({ method }) => method === "PUT")?.body).toMatchObject({ nonce: "123456" });
});

test.each([
  ["Sign out other sessions", "others", "This is now your only session.", "/dashboard/profile"],
  ["Sign out everywhere", "global", "On this device and on every other.", "/"],
])("the button %s ends the sessions of scope %s", async (button, scope, text, location) => {
  const { requests, router } = open({ "POST /auth/v1/logout": { status: 204 } });

  await userEvent.click(await screen.findByRole("button", { name: button }));

  expect(await screen.findByText(text)).toBeVisible();
  await waitFor(() => expect(router.state.location.pathname).toBe(location));
  expect(requests.find(({ path }) => path === "/auth/v1/logout")?.query.get("scope")).toBe(scope);
});
