import { fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import * as page from "./page.testing";
import { SESSION } from "./fake-server.testing";

page.setUpEachTest();

async function chooseFile() {
  screen.getByText("Filled in the PDF already?").closest("details")?.setAttribute("open", "");
  const file = new File(["%PDF-1.7"], "waiver.pdf", { type: "application/pdf" });
  fireEvent.change(screen.getByLabelText("Your filled PDF"), { target: { files: [file] } });
  await page.advance();
}

test("name and email are taken from the filled PDF, and the signature stays empty", async () => {
  page.server.filledForm.body = { name: "Ana Lima", email: "ana@example.com", session_id: SESSION.id };
  await page.openSession();
  await chooseFile();

  expect(screen.getByLabelText("Your Name")).toHaveValue("Ana Lima");
  expect(screen.getByLabelText("Your Email")).toHaveValue("ana@example.com");
  expect(screen.getByText(/Name and email are taken from your PDF/)).toBeVisible();
  expect(screen.getByRole("img", { name: /No signature yet/ })).toBeVisible();
  expect(page.server.signedWaivers.size).toBe(0);
});

test("the form of another waiver is rejected", async () => {
  page.server.filledForm.body = { name: "Ana Lima", email: "ana@example.com", session_id: "another" };
  await page.openSession();
  await chooseFile();

  expect(screen.getByText("This PDF belongs to another waiver.")).toBeVisible();
  expect(screen.getByLabelText("Your Name")).toHaveValue("Gil Guest");
});

test("the page says why a file was rejected, and what to do if the connection is lost", async () => {
  page.server.filledForm = { status: 400, body: { error: "This PDF is protected by a password." } };
  await page.openSession();
  await chooseFile();
  expect(screen.getByText("This PDF is protected by a password.")).toBeVisible();

  page.server.isDown = true;
  await chooseFile();
  expect(screen.getByText("Your PDF could not be read. Please fill in the fields below.")).toBeVisible();
});

test("the page of a template does not offer to upload a filled PDF, because guests get a PDF only for a session", async () => {
  await page.openTemplate();

  expect(screen.queryByText("Filled in the PDF already?")).toBeNull();
});
