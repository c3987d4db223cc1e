import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { rosa } from "~/../testing/company";
import { ROSA, serve, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { ProfileForm } from "./profile-form";

test("PROF-06 PROF-07 Edit enables the fields, Cancel restores them, and the email stays read-only", async () => {
  show(<ProfileForm account={rosa} />);
  expect(screen.getByLabelText("Email")).toBeDisabled();
  expect(screen.getByLabelText("Full Name")).toHaveAttribute("readonly");

  await userEvent.click(screen.getByRole("button", { name: "Edit Profile" }));
  await userEvent.type(screen.getByLabelText("Full Name"), " the Second");
  expect(screen.getByRole("button", { name: "Save Changes" })).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));

  expect(screen.getByLabelText("Full Name")).toHaveValue("Rosa Marín");
  expect(screen.getByLabelText("Email")).toBeDisabled();
  expect(screen.getByRole("button", { name: "Edit Profile" })).toBeVisible();
});

test("saving updates the profile and the company and shows a toast", async () => {
  signInAs(ROSA);
  const requests = serve({
    "PATCH /rest/v1/profiles": { status: 204 },
    "PATCH /rest/v1/companies": { status: 204 },
  });
  show(<ProfileForm account={rosa} />);

  await userEvent.click(screen.getByRole("button", { name: "Edit Profile" }));
  await userEvent.type(screen.getByLabelText("Bio"), "Guide since 1998");
  await userEvent.type(screen.getByLabelText("Company Name"), " & Sons");
  await userEvent.click(screen.getByRole("button", { name: "Save Changes" }));

  expect(await screen.findByText("Your profile has been successfully updated.")).toBeVisible();
  const changes = requests.filter(({ method }) => method === "PATCH").map(({ path, body }) => [path, body]);
  expect(changes).toEqual([
    ["/rest/v1/profiles", { name: "Rosa Marín", bio: "Guide since 1998" }],
    ["/rest/v1/companies", { name: "Rio Rafting & Sons" }],
  ]);
});

test("ERR-05 if the server rejects a change, the error is shown and the typed values stay", async () => {
  signInAs(ROSA);
  serve({
    "PATCH /rest/v1/profiles": { status: 400, body: { code: "x", message: "The name is too long." } },
  });
  show(<ProfileForm account={rosa} />);

  await userEvent.click(screen.getByRole("button", { name: "Edit Profile" }));
  await userEvent.type(screen.getByLabelText("Full Name"), "!");
  await userEvent.click(screen.getByRole("button", { name: "Save Changes" }));

  expect(await screen.findByText("Update failed")).toBeVisible();
  expect(screen.getByText("The name is too long.")).toBeVisible();
  expect(screen.getByLabelText("Full Name")).toHaveValue("Rosa Marín!");
});

test("ERR-06 without a session no request is sent", async () => {
  const requests = serve({});
  show(<ProfileForm account={rosa} />);

  await userEvent.click(screen.getByRole("button", { name: "Edit Profile" }));
  await userEvent.click(screen.getByRole("button", { name: "Save Changes" }));

  expect(await screen.findByText("Not authenticated")).toBeVisible();
  await waitFor(() => expect(requests).toEqual([]));
});
