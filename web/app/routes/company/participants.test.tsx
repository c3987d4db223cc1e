import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { SIGNED_WAIVER } from "~/../testing/company";
import { DIRECTORY_RESPONSES } from "~/../testing/directory-entries";
import { serve } from "~/../testing/server";
import { SIGNED_PATH, showWaivers } from "~/../testing/waivers";
import { stubWindow } from "~/../testing/window";

beforeEach(() => stubWindow());

const FORM = {
  covers: { minors: {} },
  questions: [
    { key: "asthma", kind: "yes_no", label: "Do you have asthma?", asked_of: "participant" },
    { key: "emergency", kind: "emergency_contact", label: "Emergency contact" },
  ],
};
const MIA = {
  id: "2",
  name: "Mia Moreau",
  birth_date: "2018-05-01",
  kind: "minor",
  answers: { asthma: true },
  flags: [{ question: "asthma", text: "Asthma" }],
};
const GIL = {
  id: "1",
  name: "Gil Moreau",
  birth_date: null,
  kind: "adult",
  answers: { asthma: false, emergency: { name: "Ana", phone: "+1 555 0100" } },
  flags: [],
};

const responses = (form: object | null) => ({
  ...DIRECTORY_RESPONSES,
  "GET /rest/v1/signed_waivers": { body: [{ ...SIGNED_WAIVER, signed_at: "2026-05-01T12:00:00Z" }] },
  "GET /rest/v1/waiver_sessions": { body: [{ form }] },
  "GET /rest/v1/participants": { body: [GIL, MIA] },
  "GET /rest/v1/sent_waivers": { body: [] },
  "GET /rest/v1/emails": { body: [] },
  "GET /rest/v1/waiver_events": { body: [] },
});

test("FORM-17 the page of a signed waiver lists its participants with ages, flags and answers", async () => {
  serve(responses(FORM));
  showWaivers(SIGNED_PATH);

  const card = await screen.findByRole("region", { name: "Participants" });
  const names = within(card).getAllByRole("heading", { level: 3 });
  expect(names.map(({ textContent }) => textContent)).toEqual(["Gil Moreau", "Mia Moreau"]);
  expect(card).toHaveTextContent("Minor, 8 years old when signed");
  expect(within(card).getByRole("list", { name: "Flags of Mia Moreau" })).toHaveTextContent("Asthma");
  expect(card).toHaveTextContent("Emergency contactAna, +1 555 0100");
  expect(within(card).getAllByText("Do you have asthma?")).toHaveLength(2);
});

test("FORM-17 a waiver without a form has no list of participants", async () => {
  const requests = serve(responses(null));
  showWaivers(SIGNED_PATH);

  expect(await screen.findByRole("region", { name: "Signer" })).toBeVisible();
  expect(screen.queryByRole("region", { name: "Participants" })).toBeNull();
  expect(requests.filter(({ path }) => path.endsWith("/participants"))).toEqual([]);
});
