import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { SIGNED_WAIVER } from "~/../testing/company";
import { serve } from "~/../testing/server";
import { SIGNED_PATH, showWaivers } from "~/../testing/waivers";
import { stubWindow } from "~/../testing/window";

beforeEach(() => stubWindow());

const click = (name: string) => userEvent.click(screen.getByRole("button", { name }));

async function open(waiver: object = {}, responses: Parameters<typeof serve>[0] = {}) {
  const requests = serve({
    "GET /rest/v1/signed_waivers": { body: [{ ...SIGNED_WAIVER, ...waiver }] },
    "GET /rest/v1/emails": { body: [] },
    "GET /rest/v1/waiver_events": { body: [] },
    ...responses,
  });
  showWaivers(SIGNED_PATH);
  await screen.findByRole("region", { name: "History" });
  return requests;
}

test("a waiver is erased after a confirmation with a reason", async () => {
  const requests = await open({}, { "POST /rest/v1/rpc/erase_waiver": { status: 204 } });

  await click("Erase");
  const confirmation = await screen.findByRole("dialog", { name: "Erase this waiver?" });
  expect(confirmation).toHaveTextContent("You then have no proof that this person signed.");
  expect(confirmation).toHaveTextContent("please do not name the person");
  await userEvent.type(screen.getByLabelText(/^Reason/), "The guest asked for it");
  await click("Erase for good");

  expect(await screen.findByText("Waiver erased")).toBeVisible();
  const call = requests.find(({ path }) => path.endsWith("erase_waiver"));
  expect(call?.body).toEqual({ waiver_id: SIGNED_WAIVER.id, reason: "The guest asked for it" });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("a refused erasure is explained, and the waiver can be kept", async () => {
  const refusal = {
    code: "PT400",
    message: "Refused.",
    details: '{"code": "reason_names_the_signer", "parameters": {}}',
  };
  await open({}, { "POST /rest/v1/rpc/erase_waiver": { status: 400, body: refusal } });

  await click("Erase");
  await userEvent.type(await screen.findByLabelText(/^Reason/), "Ana asked");
  await click("Erase for good");

  expect(await screen.findByText(/please do not name the person in it/)).toBeVisible();
  await click("Keep it");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByRole("button", { name: "Erase" })).toBeVisible();
});

test("a waiver on legal hold cannot be erased, and the hold can be released", async () => {
  const requests = await open(
    { held_since: "2026-11-16T10:00:00Z" },
    { "POST /rest/v1/rpc/release_hold": { status: 204 } },
  );

  expect(screen.getByText("On legal hold")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Erase" })).toBeNull();
  await click("Release hold");
  await userEvent.type(await screen.findByLabelText(/^Reason/), "The claim is settled");
  await click("Release hold");

  expect(await screen.findByText("Hold released")).toBeVisible();
  const call = requests.find(({ path }) => path.endsWith("release_hold"));
  expect(call?.body).toEqual({ waiver_id: SIGNED_WAIVER.id, reason: "The claim is settled" });
});

test("a waiver is put on legal hold", async () => {
  const requests = await open({}, { "POST /rest/v1/rpc/hold_waiver": { status: 204 } });

  await click("Hold");
  await userEvent.type(await screen.findByLabelText(/^Reason/), "A claim was announced");
  await click("Put on hold");

  expect(await screen.findByText("Waiver on legal hold")).toBeVisible();
  expect(requests.some(({ path }) => path.endsWith("hold_waiver"))).toBe(true);
});

test("an erased waiver shows only its history", async () => {
  await open({ erased_at: "2026-11-16T10:00:00Z", signer_name: "(erased)", signature: "", content: "" });

  expect(screen.getAllByText("Erased").length).toBeGreaterThan(0);
  expect(screen.queryByRole("img", { name: /Signature/ })).toBeNull();
  for (const name of ["Erase", "Hold", "Revoke", "Download PDF"])
    expect(screen.queryByRole("button", { name })).toBeNull();
});
