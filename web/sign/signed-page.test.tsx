import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { functionCaller } from "./functions";
import { keepReceipt } from "./keep-receipt";
import { CONSENT, SESSION } from "./fake-server.testing";
import * as page from "./page.testing";
import { type FirstSignature, SignedPage } from "./signed-page";
import { openUnsentDraft } from "./draft-storage";
import { fromSession } from "./waiver";

page.setUpEachTest();

const firstSignature = { signed_at: "2026-06-30T15:40:00Z", first_name: "Hana" };

function open(columns: object = {}, signature: FirstSignature | null = firstSignature) {
  history.replaceState(null, "", `/waivers/sign/session/${SESSION.id}`);
  const lookup = fromSession({ ...SESSION, status: "signed", ...columns }, CONSENT);
  if (lookup.kind !== "waiver") throw new Error("There is no waiver.");
  render(
    <SignedPage waiver={lookup.waiver} firstSignature={signature} callFunction={functionCaller("anon")} />,
  );
}

const signedRow = {
  id: "f3b0a8f2-0000-4000-8000-000000000001",
  session_id: SESSION.id,
  document_secret: "secret",
  template_name: "River day",
  signer_name: "Hana Sato",
  template_id: "tpl-river",
  signer_email: "hana@example.com",
  signature: "data:image/png;base64,",
  content: "I, Hana Sato, join Rio Rafting.",
  strokes: null,
  first_viewed_at: "",
  last_viewed_at: "",
  scroll_depth: 0,
  time_zone: "UTC",
};

test("SIGN-05 says when the waiver was signed and by whom, shows its text, and has no form", () => {
  open();

  expect(screen.getByText(/^Signed by/)).toHaveTextContent("Signed by Hana on June 30, 2026 at 3:40 PM.");
  expect(screen.getByRole("region", { name: "Waiver text" })).toHaveTextContent(
    "I, Gil Guest, join Rio Rafting.",
  );
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(screen.getByRole("link", { name: "Sign again" })).toHaveAttribute("href", "?again");
});

test("F9 says that the link is closed if the signed waiver was erased", () => {
  open({}, null);

  expect(screen.getByRole("region", { name: "Waiver Erased" })).toHaveTextContent(
    "has been erased, so the link is closed. Please ask Rio Rafting for a new link.",
  );
  expect(screen.queryByRole("link", { name: "Sign again" })).toBeNull();
});

test("SIGN-05 offers the copy to the browser that has signed", () => {
  keepReceipt(signedRow, "Rio Rafting");
  open();

  expect(screen.getByRole("button", { name: "Download your copy" })).toBeVisible();
  expect(screen.queryByRole("link", { name: "your account" })).toBeNull();
});

test("SIGN-05 says in other browsers how the signer can open the copy", () => {
  keepReceipt({ ...signedRow, session_id: "another" }, "Rio Rafting");
  open();

  expect(screen.queryByRole("button", { name: "Download your copy" })).toBeNull();
  expect(screen.getByRole("link", { name: "your account" })).toHaveAttribute("href", "/guest-dashboard");
});

test("SIGN-21 a signed waiver that has expired cannot be signed again", () => {
  open({ expires_at: "2020-01-01T00:00:00+00:00" });

  expect(screen.getByText(/can no longer be signed again. Please ask Rio Rafting/)).toBeVisible();
  expect(screen.queryByRole("link", { name: "Sign again" })).toBeNull();
});

test("a signature that was not sent yet is given to the signing page", () => {
  const path = `/waivers/sign/session/${SESSION.id}`;
  history.replaceState(null, "", path);
  expect(openUnsentDraft()).toBe(false);
  sessionStorage.setItem(`cairn-signing:${path}`, JSON.stringify({ draft: {}, unsent: null }));
  expect(openUnsentDraft()).toBe(false);

  const storedDraft = JSON.stringify({ draft: {}, unsent: { session: null, waiver: signedRow } });
  sessionStorage.setItem(`cairn-signing:${path}`, storedDraft);

  expect(openUnsentDraft()).toBe(true);
  expect(sessionStorage.getItem(`cairn-signing:${path}`)).toBeNull();
  expect(sessionStorage.getItem(`cairn-signing:${path}?again`)).toBe(storedDraft);
});
