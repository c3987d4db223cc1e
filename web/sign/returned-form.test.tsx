import { fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { advance, openSession, openTemplate, service, setUpEachTest } from "./page.testing";
import { SESSION } from "./service.testing";

setUpEachTest();

async function chooseFile() {
  screen.getByText("Filled in the PDF already?").closest("details")?.setAttribute("open", "");
  const file = new File(["%PDF-1.7"], "waiver.pdf", { type: "application/pdf" });
  fireEvent.change(screen.getByLabelText("Your filled PDF"), { target: { files: [file] } });
  await advance();
}

test("name and email come from the filled PDF; the signature stays empty", async () => {
  service.filledForm.body = { name: "Ana Lima", email: "ana@example.com", session_id: SESSION.id };
  await openSession();
  await chooseFile();

  expect(screen.getByLabelText("Your Name")).toHaveValue("Ana Lima");
  expect(screen.getByLabelText("Your Email")).toHaveValue("ana@example.com");
  expect(screen.getByText(/Name and email are taken from your PDF/)).toBeVisible();
  expect(screen.getByRole("img", { name: /No signature yet/ })).toBeVisible();
  expect(service.signed.size).toBe(0);
});

test("the form of another waiver is rejected", async () => {
  service.filledForm.body = { name: "Ana Lima", email: "ana@example.com", session_id: "another" };
  await openSession();
  await chooseFile();

  expect(screen.getByText("This PDF belongs to another waiver.")).toBeVisible();
  expect(screen.getByLabelText("Your Name")).toHaveValue("Gil Guest");
});

test("a rejected file shows the reason, and a lost connection shows what to do", async () => {
  service.filledForm = { status: 400, body: { error: "This PDF is protected by a password." } };
  await openSession();
  await chooseFile();
  expect(screen.getByText("This PDF is protected by a password.")).toBeVisible();

  service.isDown = true;
  await chooseFile();
  expect(screen.getByText("Your PDF could not be read. Please fill in the fields below.")).toBeVisible();
});

test("the page of a template does not offer the upload, because no PDF was sent", async () => {
  await openTemplate();

  expect(screen.queryByText("Filled in the PDF already?")).toBeNull();
});
