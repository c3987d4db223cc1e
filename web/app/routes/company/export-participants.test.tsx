import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { showToRosa } from "~/../testing/company";
import { DIRECTORY_RESPONSES, signedEntry } from "~/../testing/directory-entries";
import { trackDownloads } from "~/../testing/downloads";
import { serve } from "~/../testing/server";
import { stubWindow } from "~/../testing/window";
import Directory from "./directory";

beforeEach(() => stubWindow());

const PEOPLE = "POST /rest/v1/rpc/participants_for_export";
const person = { waiver_id: signedEntry.id, birth_date: null, kind: "adult", flags: [], answers: [] };
const responses = {
  ...DIRECTORY_RESPONSES,
  "GET /rest/v1/waiver_template_versions": { body: [{ version: 1 }] },
  [PEOPLE]: {
    body: [
      { ...person, name: "Gil Moreau" },
      { ...person, name: "Mia Moreau", kind: "minor" },
    ],
  },
};

async function openDialog(changes: object = {}) {
  const fileNames = trackDownloads();
  const requests = serve({ ...responses, ...changes });
  showToRosa(<Directory />, "/dashboard/waiver-management");
  await screen.findByText("gil@example.com");
  await userEvent.click(screen.getByRole("button", { name: "Export CSV" }));
  await screen.findByRole("dialog", { name: "Export CSV" });
  const peopleRequests = () => requests.filter(({ path }) => path.endsWith("participants_for_export"));
  return { fileNames, peopleRequests };
}

test("FORM-38 a company that asks questions exports one row for each participant, without sensitive answers", async () => {
  const { fileNames, peopleRequests } = await openDialog();

  await userEvent.click(screen.getByRole("button", { name: "Export" }));

  // The rows are the two people of the signed waiver, and the waiver that is not signed.
  expect(await screen.findByText("3 rows in participants.csv")).toBeVisible();
  expect(fileNames).toEqual(["participants.csv"]);
  expect(peopleRequests().map(({ body }) => body)).toEqual([
    { waiver_ids: [signedEntry.id], with_sensitive: false },
  ]);
});

test("FORM-38 sensitive answers are exported only if they are chosen", async () => {
  const { peopleRequests } = await openDialog();

  await userEvent.click(screen.getByRole("checkbox", { name: /^Also what is sensitive/ }));
  await userEvent.click(screen.getByRole("button", { name: "Export" }));

  await screen.findByText("3 rows in participants.csv");
  expect(peopleRequests()[0]?.body).toMatchObject({ with_sensitive: true });
});

test("FORM-38 a company can still export one row for each waiver, or nothing", async () => {
  const { fileNames, peopleRequests } = await openDialog();
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(fileNames).toEqual([]);

  await userEvent.click(screen.getByRole("button", { name: "Export CSV" }));
  await userEvent.click(await screen.findByRole("radio", { name: "One row for each waiver" }));
  expect(screen.getByRole("checkbox", { name: "Flags" })).toBeDisabled();
  await userEvent.click(screen.getByRole("button", { name: "Export" }));

  expect(await screen.findByText("2 rows in waivers.csv")).toBeVisible();
  expect(fileNames).toEqual(["waivers.csv"]);
  expect(peopleRequests()).toEqual([]);
});

test("FORM-38 if the participants cannot be loaded, no file is saved", async () => {
  const { fileNames } = await openDialog({ [PEOPLE]: { status: 500, body: { code: "x", message: "no" } } });

  await userEvent.click(screen.getByRole("button", { name: "Export" }));

  expect(await screen.findByText("The export was not finished")).toBeVisible();
  expect(fileNames).toEqual([]);
});

// 16B5 is a finding in docs/security.md.
test("16B5 the participants of at most 32 waivers are requested at once", async () => {
  const others = Array.from({ length: 32 }, (_, number) => ({ ...signedEntry, id: `w${number}`, email: "" }));
  const { peopleRequests } = await openDialog({
    "POST /rest/v1/rpc/waiver_directory": { body: [signedEntry, ...others] },
  });

  await userEvent.click(screen.getByRole("button", { name: "Export" }));

  await screen.findByText(/rows in participants.csv/);
  expect(peopleRequests().map(({ body }) => body)).toEqual([
    { waiver_ids: [signedEntry.id, ...others.slice(0, 31).map(({ id }) => id)], with_sensitive: false },
    { waiver_ids: ["w31"], with_sensitive: false },
  ]);
});

test("16B5 if the server may have cut off participants, no file is saved", async () => {
  const people = Array.from({ length: 1_000 }, () => ({ ...person, name: "Gil Moreau" }));
  const { fileNames } = await openDialog({ [PEOPLE]: { body: people } });

  await userEvent.click(screen.getByRole("button", { name: "Export" }));

  expect(await screen.findByText("The export was not finished")).toBeVisible();
  expect(fileNames).toEqual([]);
});
