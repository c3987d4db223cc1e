import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ROSA, serve, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { DeleteCompanyCard } from "./delete-company-card";

const company = { id: "c1", name: "Rio Rafting" };
const NOT_BEING_DELETED = { "GET /rest/v1/companies": { body: { delete_at: null } } };

async function openDialog() {
  signInAs(ROSA);
  show(<DeleteCompanyCard company={company} />);
  await userEvent.click(await screen.findByRole("button", { name: "Delete your company" }));
  return screen.findByLabelText("Type Rio Rafting to confirm");
}

test("TRUE-35 the owner types the name of the company to delete it", async () => {
  const requests = serve({
    ...NOT_BEING_DELETED,
    "POST /functions/v1/delete-company": { body: { deleteAt: "2026-03-12T12:00:00Z" } },
  });
  const field = await openDialog();

  await userEvent.type(field, "Rio");
  expect(screen.getByRole("button", { name: "Delete my company" })).toBeDisabled();
  await userEvent.type(field, " Rafting");
  await userEvent.click(screen.getByRole("button", { name: "Delete my company" }));

  await expect.poll(() => requests.map(({ path }) => path)).toContain("/functions/v1/delete-company");
  await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
});

test("a refusal is shown in the dialog", async () => {
  const error = "Waivers on legal hold: 2. Release each hold first.";
  serve({
    ...NOT_BEING_DELETED,
    "POST /functions/v1/delete-company": { status: 409, body: { error, code: "waivers_on_hold" } },
  });
  await userEvent.type(await openDialog(), "Rio Rafting");
  await userEvent.click(screen.getByRole("button", { name: "Delete my company" }));

  expect(await screen.findByText(error)).toBeVisible();
});

test("TRUE-35 until the deletion the owner can keep the company", async () => {
  signInAs(ROSA);
  const requests = serve({
    "GET /rest/v1/companies": { body: { delete_at: "2026-03-12T12:00:00Z" } },
    "POST /functions/v1/keep-company": { body: {} },
  });
  show(<DeleteCompanyCard company={company} />);

  expect(await screen.findByText("March 12, 2026")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Delete your company" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Keep my company" }));

  expect(await screen.findByText("Your company stays")).toBeVisible();
  expect(requests.map(({ path }) => path)).toContain("/functions/v1/keep-company");
});
