import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { rosa } from "~/../testing/company";
import { ROSA, serve, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { AccountSettings } from "./components/account-settings";
import { GoogleButton } from "./components/google-button";

test("ERR-33 redirecting to Google, saving the profile and signing out each show a toast", async () => {
  signInAs(ROSA);
  serve({
    "GET /auth/v1/settings": { body: { external: { google: true } } },
    "PATCH /rest/v1/profiles": { status: 204 },
    "POST /auth/v1/logout": { status: 204 },
  });
  show(
    <>
      <GoogleButton mode="signin" navigate={() => {}} />
      <AccountSettings account={rosa} pathAfterSignOut="/" />
    </>,
  );

  await userEvent.click(screen.getByRole("button", { name: "Continue with Google" }));
  expect(await screen.findByText("Redirecting to Google")).toBeVisible();

  await userEvent.click(screen.getByRole("button", { name: "Edit Profile" }));
  await userEvent.click(screen.getByRole("button", { name: "Save Changes" }));
  expect(await screen.findByText("Profile updated")).toBeVisible();
  expect(screen.getByText("Your profile has been successfully updated.")).toBeVisible();

  await userEvent.click(screen.getByRole("button", { name: /Sign Out/ }));
  expect(await screen.findByText("Signed out")).toBeVisible();
});
