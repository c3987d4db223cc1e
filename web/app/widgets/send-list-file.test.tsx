import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { LIST_PAGE_RESPONSES, openListPage, rowTexts } from "~/../testing/send-list-page";
import { serve } from "~/../testing/server";
import { forgetListDraft } from "~/features/sending/list/list-draft";

afterEach(forgetListDraft);

test("APP-40 a CSV file is read in the encoding of Windows, and a workbook is refused", async () => {
  serve(LIST_PAGE_RESPONSES);
  await openListPage();
  const input = screen.getByLabelText("CSV file");

  await userEvent.upload(input, new File([Uint8Array.from([0x50, 0x4b, 3, 4])], "guests.csv"));
  expect(await screen.findByRole("alert")).toHaveTextContent(/^This is a workbook, not a CSV file/);

  const text = "Nombre;Correo\nJosé Ibáñez;jose@example.com";
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  await userEvent.upload(input, new File([bytes], "guests.csv"));
  expect(await screen.findByRole("heading", { name: "Preview" })).toBeVisible();
  expect(rowTexts("Rows")[0]).toContain("José Ibáñez");
});

test("APP-43 a file that cannot be read is refused with a reason", async () => {
  serve(LIST_PAGE_RESPONSES);
  await openListPage();
  const file = new File(["Gil"], "guests.csv");
  file.arrayBuffer = () => Promise.reject(new DOMException("moved", "NotReadableError"));

  await userEvent.upload(screen.getByLabelText("CSV file"), file);

  expect(await screen.findByRole("alert")).toHaveTextContent("The file could not be read.");
});
