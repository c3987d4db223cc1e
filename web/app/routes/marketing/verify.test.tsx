import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { deferredResponse, serve } from "~/../testing/server";
import { show } from "~/../testing/show";
import Verify from "./verify";

const ID = "3f2a9c1e-7b0d-4c55-9a3e-1d2f3a4b5c6d";
const pdf = new File(["%PDF-1.7 and so on"], "waiver.pdf", { type: "application/pdf" });
const sealedVerdict = {
  state: "unchanged",
  says: "-",
  on_record: true,
  history: "intact",
  waiver_id: ID,
  sealed_at: "2026-03-04T12:00:05+00:00",
  timestamped_at: null,
  document_sha256: "ab".repeat(32),
};
const respondWith = (body: object) => serve({ "POST /functions/v1/verify-document": { body } });
const chooseFile = (file: File) => userEvent.upload(screen.getByLabelText(/Choose a PDF/), file);

test("a sealed, unchanged document is shown with its time and hash", async () => {
  const requests = respondWith(sealedVerdict);
  show(<Verify />, "/verify");

  await chooseFile(pdf);

  expect(await screen.findByRole("heading", { name: "Sealed and unchanged" })).toBeVisible();
  expect(screen.getByText("March 4, 2026 at 12:00:05 PM UTC")).toBeVisible();
  expect(screen.getByText("ab".repeat(32))).toBeVisible();
  expect(screen.getByText("waiver.pdf")).toBeVisible();
  expect(requests[0]?.headers.get("authorization")).toBe("Bearer anon");
});

test.each([
  [{ state: "changed" }, "This document was changed"],
  [{ state: "foreign" }, "Not our document"],
  [{ state: "unsealed" }, "Not a sealed document"],
  [{ state: "unreadable" }, "Not a document we can read"],
  [{ ...sealedVerdict, on_record: false }, "Sealed and unchanged, but not on record"],
  [{ ...sealedVerdict, history: "broken" }, "The file is unchanged, its history is not"],
  [{ ...sealedVerdict, revoked_at: "2026-03-05T12:00:00+00:00" }, "Sealed and unchanged, but revoked"],
  [
    { ...sealedVerdict, state: "on_record", revoked_at: "2026-03-05T12:00:00+00:00" },
    "This waiver is on record, but revoked",
  ],
])("the verdict %o has its own title", async (verdict, title) => {
  respondWith({ on_record: false, ...verdict });
  show(<Verify />, "/verify");

  await chooseFile(pdf);

  expect(await screen.findByRole("heading", { name: title })).toBeVisible();
});

test("the time of the signed history is shown, and a timestamp only when it is confirmed", async () => {
  const signed = {
    head_signed_at: "2026-03-04T12:00:06+00:00",
    head_timestamp: "pending",
    head_timestamped_at: null,
  };
  respondWith({ ...sealedVerdict, ...signed });
  show(<Verify />, "/verify");

  await chooseFile(pdf);

  expect(await screen.findByText("March 4, 2026 at 12:00:06 PM UTC")).toBeVisible();
  expect(screen.getByText("requested, not confirmed yet")).toBeVisible();
});

test("17B7: a document whose history was not checked is shown with the verdict on its seal", async () => {
  respondWith({ ...sealedVerdict, history: "unchecked" });
  show(<Verify />, "/verify");

  await chooseFile(pdf);

  expect(await screen.findByRole("heading", { name: "Sealed and unchanged" })).toBeVisible();
  expect(screen.getByText("not checked completely, because it is too long")).toBeVisible();
});

test("a dropped file is checked", async () => {
  respondWith(sealedVerdict);
  show(<Verify />, "/verify");

  fireEvent.drop(screen.getByText("Choose a PDF"), { dataTransfer: { files: [pdf] } });

  expect(await screen.findByRole("heading", { name: "Sealed and unchanged" })).toBeVisible();
});

test("a file that is not a PDF is not uploaded", async () => {
  const requests = serve({});
  show(<Verify />, "/verify");

  fireEvent.drop(screen.getByText("Choose a PDF"), {
    dataTransfer: { files: [new File(["hello"], "hello.txt")] },
  });

  expect(await screen.findByRole("heading", { name: "Not a document we can read" })).toBeVisible();
  expect(requests).toEqual([]);
});

test.each([
  [{ ...sealedVerdict, state: "on_record" }, "This waiver is on record"],
  [{ state: "preparing", on_record: false }, "Document being prepared"],
  [{ state: "erased", on_record: false, erased_at: "2026-11-16T10:00:00Z" }, "This waiver was erased"],
  [{ state: "failed", on_record: false }, "No document of this waiver"],
  [{ state: "unknown", on_record: false }, "Not on record"],
])("the waiver of a printed link is checked automatically: %o", async (verdict, title) => {
  const { wait, respond } = deferredResponse();
  const requests = serve({ "POST /functions/v1/verify-document": { body: verdict, wait } });
  show(<Verify />, `/verify?waiver=${ID}`);
  expect(await screen.findByText("Checking the document...")).toBeVisible();

  respond();

  expect(await screen.findByRole("heading", { name: title })).toBeVisible();
  expect(requests.map(({ body }) => body)).toEqual([{ waiver_id: ID }]);
});

test("a malformed link is reported as not on record, and no request is sent", async () => {
  const requests = serve({});
  show(<Verify />, "/verify?waiver=nonsense");

  expect(await screen.findByRole("heading", { name: "Not on record" })).toBeVisible();
  expect(requests).toEqual([]);
});

test("a failed check shows an error and can be retried", async () => {
  serve({ "POST /functions/v1/verify-document": { status: 503, body: { error: "busy" } } });
  show(<Verify />, "/verify");
  await chooseFile(pdf);
  expect(await screen.findByRole("alert")).toHaveTextContent("The document could not be checked");

  respondWith(sealedVerdict);
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));

  await waitFor(() => expect(screen.getByRole("heading", { name: "Sealed and unchanged" })).toBeVisible());
});
