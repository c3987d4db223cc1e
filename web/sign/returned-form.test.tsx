import { fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { stubCanvas } from "../testing/canvas";
import { openSession, openTemplate, pass } from "./page.testing";
import { DataService, SESSION } from "./service.testing";

let service: DataService;
beforeEach(() => {
  vi.useFakeTimers();
  stubCanvas();
  service = new DataService();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

async function choose() {
  screen.getByText("Filled in the PDF already?").closest("details")?.setAttribute("open", "");
  const file = new File(["%PDF-1.7"], "waiver.pdf", { type: "application/pdf" });
  fireEvent.change(screen.getByLabelText("Your filled PDF"), { target: { files: [file] } });
  await pass();
}

test("name and email come from the filled PDF; the signature is still to be made", async () => {
  service.filledForm.body = { name: "Ana Lima", email: "ana@example.com", session_id: SESSION.id };
  await openSession();
  await choose();

  expect(screen.getByLabelText("Your Name")).toHaveValue("Ana Lima");
  expect(screen.getByLabelText("Your Email")).toHaveValue("ana@example.com");
  expect(screen.getByText(/Name and email are taken from your PDF/)).toBeVisible();
  expect(screen.getByRole("img", { name: /No signature yet/ })).toBeVisible();
  expect(service.signed.size).toBe(0);
});

test("the form of another waiver changes nothing", async () => {
  service.filledForm.body = { name: "Ana Lima", email: "ana@example.com", session_id: "another" };
  await openSession();
  await choose();

  expect(screen.getByText("This PDF belongs to another waiver.")).toBeVisible();
  expect(screen.getByLabelText("Your Name")).toHaveValue("Gil Guest");
});

test("a refused file says why, and a lost connection what to do", async () => {
  service.filledForm = { status: 400, body: { error: "This PDF is protected by a password." } };
  await openSession();
  await choose();
  expect(screen.getByText("This PDF is protected by a password.")).toBeVisible();

  service.isDown = true;
  await choose();
  expect(screen.getByText("Your PDF could not be read. Please fill in the fields below.")).toBeVisible();
});

test("the public page of a template, for which no PDF was sent, does not ask for one", async () => {
  await openTemplate();

  expect(screen.queryByText("Filled in the PDF already?")).toBeNull();
});
