import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { rosa } from "~/../testing/company";
import { GIL, serve, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { DeleteAccountCard } from "./delete-account-card";
import DeletionBanner from "./deletion-banner";

const gil = { ...rosa, ...GIL, name: "Gil Moreau", role: "customer", company: null } as const;

test("a guest confirms that the account is to be deleted", async () => {
  signInAs(GIL);
  const requests = serve({
    "POST /functions/v1/delete-account": { body: { deleteAt: "2026-03-12T12:00:00Z" } },
  });
  show(<DeleteAccountCard account={gil} />);

  await userEvent.click(screen.getByRole("button", { name: "Delete your account" }));
  expect(await screen.findByText(/The waivers you signed stay with the companies/)).toBeVisible();
  expect(requests).toHaveLength(0);
  await userEvent.click(screen.getByRole("button", { name: "Delete my account" }));

  await expect.poll(() => requests.map(({ path }) => path)).toContain("/functions/v1/delete-account");
  await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
});

test("a guest who signed in long ago has to sign in again", async () => {
  signInAs(GIL);
  const error = "Please sign in again, so that we know it is you.";
  serve({
    "POST /functions/v1/delete-account": { status: 403, body: { error, code: "recent_sign_in_needed" } },
  });
  show(<DeleteAccountCard account={gil} />);

  await userEvent.click(screen.getByRole("button", { name: "Delete your account" }));
  await userEvent.click(await screen.findByRole("button", { name: "Delete my account" }));

  expect(await screen.findByText(error)).toBeVisible();
  expect(screen.getByRole("button", { name: "Sign in again" })).toBeVisible();
});

test("until the deletion the guest can keep the account", async () => {
  signInAs(GIL);
  const requests = serve({ "POST /functions/v1/keep-account": { body: {} } });
  show(
    <>
      <DeletionBanner deleteAt="2026-03-12T12:00:00Z" />
      <DeleteAccountCard account={{ ...gil, deleteAt: "2026-03-12T12:00:00Z" }} />
    </>,
  );

  expect(screen.getByText("Your account will be deleted on March 12, 2026.")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Delete your account" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Keep my account" }));

  expect(await screen.findByText("Your account stays")).toBeVisible();
  expect(requests.map(({ path }) => path)).toContain("/functions/v1/keep-account");
});
