import { fireEvent, screen, within } from "@testing-library/react";
import type { Form } from "../app/lib/waiver-form/types";
import { CONSENT, TEMPLATE } from "./fake-server.testing";
import * as page from "./page.testing";

export const FAMILY_FORM: Form = {
  covers: { minors: { most: 3, own_signature_from_age: 16 } },
  questions: [
    { key: "emergency", kind: "emergency_contact", label: "Emergency contact", required: true },
    {
      key: "asthma",
      kind: "yes_no",
      label: "Do you have asthma?",
      asked_of: "participant",
      required: true,
      sensitive: true,
    },
    {
      key: "inhaler",
      kind: "yes_no",
      label: "Do you carry an inhaler?",
      asked_of: "participant",
      show_if: { question: "asthma", is: true },
    },
  ],
};

export const openForm = (form: Form = FAMILY_FORM, columns: object = {}) =>
  page.openSession({ form, ...columns });

export const openTemplate = (form: Form) =>
  page.open(
    { kind: "template", template: { ...TEMPLATE, form }, company_name: "Rio Rafting", consent: CONSENT },
    "/waivers/sign/tpl-river",
  );

export const next = () => click("Continue");
export const back = () => click("Back");
export const title = () => screen.getByRole("heading", { level: 2 }).textContent;

export async function click(name: string | RegExp) {
  fireEvent.click(screen.getByRole("button", { name }));
  await page.advance();
}

/** Adds a child and fills in its fields. */
export async function addChild(name: string, birthDate: string) {
  await click(/^Add a/);
  const child = within(screen.getAllByRole("group", { name: /^Child/ }).at(-1) ?? document.body);
  fireEvent.change(child.getByLabelText("Full name"), { target: { value: name } });
  fireEvent.change(child.getByLabelText("Birth date"), { target: { value: birthDate } });
}

export function confirmGuardian() {
  page.fillIn("How are you related to the children?", "Mother");
  fireEvent.click(screen.getByRole("checkbox", { name: /parent or legal guardian/ }));
}

export function fillInEmergency() {
  page.fillIn("Name", "Ana");
  page.fillIn("Phone", "+1 555 0100");
}

export function choose(label: string, question: string | RegExp = "Do you have asthma?") {
  fireEvent.click(within(screen.getByRole("group", { name: question })).getByLabelText(label));
}

/** Types a signature into each pad, agrees, and chooses Sign Waiver. */
export async function signEverywhere() {
  for (const radio of screen.getAllByLabelText("Type")) fireEvent.click(radio);
  for (const field of screen.getAllByLabelText("Type your name as your signature"))
    fireEvent.change(field, { target: { value: "Signed" } });
  const box = screen.getByRole<HTMLInputElement>("checkbox");
  if (!box.checked) fireEvent.click(box);
  await click("Sign Waiver");
}

/** Returns the row that was sent, as the server would decode it from JSON. */
export const sentRow = () => JSON.parse(JSON.stringify([...page.server.signedWaivers.values()][0] ?? null));
