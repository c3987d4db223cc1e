import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { RECEIPT_SCRIPT } from "../app/lib/receipt-script";
import { HomeReceipts } from "./home-receipts";
import * as page from "./page.testing";

page.setUpEachTest();

const DAY_MS = 86_400_000;
const receipts = () => screen.queryAllByRole("region", { name: "Receipt" });

const storedReceipts = () => Object.keys(localStorage).filter((name) => name.startsWith("cairn-receipt:"));

/** Opens the front page in the browser that has signed. */
function openHome() {
  cleanup();
  render(<HomeReceipts anonKey="anon" />);
}

describe("the front page after signing", () => {
  test("SIGN-17 shows what was signed and for whom, and offers the copy", async () => {
    await page.openSession();
    await page.sign();
    openHome();

    expect(receipts()).toHaveLength(1);
    expect(receipts()[0]).toHaveTextContent("Gil Guest has signed River day for Rio Rafting.");
    page.server.emailMessage = "A copy was sent to gil@example.com.";
    fireEvent.click(screen.getByRole("button", { name: "Email me a copy" }));
    await page.advance();
    expect(screen.getByText("A copy was sent to gil@example.com.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Download your copy" })).toBeVisible();
  });

  test("SIGN-17 keeps the receipt until it is closed", async () => {
    await page.openSession();
    await page.sign();
    openHome();
    openHome();
    expect(receipts()).toHaveLength(1);

    fireEvent.click(screen.getByRole("button", { name: "Close" }));
    expect(receipts()).toEqual([]);
    openHome();

    expect(receipts()).toEqual([]);
    expect(storedReceipts()).toEqual([]);
  });

  test("SIGN-17 keeps the receipt for a day", async () => {
    await page.openSession();
    await page.sign();

    vi.setSystemTime(Date.now() + DAY_MS - 1);
    openHome();
    expect(receipts()).toHaveLength(1);
    vi.setSystemTime(Date.now() + 1);
    openHome();

    expect(receipts()).toEqual([]);
  });

  test("shows the receipts of a family that signs on one phone, the newest first", async () => {
    await page.openSession();
    await page.sign({ name: "Ana" });
    await page.advance(1);
    cleanup();
    await page.openSession();
    await page.sign({ name: "Ben" });
    openHome();

    expect(receipts().map((receipt) => receipt.textContent?.match(/Ana|Ben/)?.[0])).toEqual(["Ben", "Ana"]);
  });

  test.each([
    ["in a frame", () => history.replaceState(null, "", "/embed/tpl-river")],
    ["on the device of a company", () => localStorage.setItem("user", '{"role":"company"}')],
  ])("SIGN-17 keeps no receipt %s, where the next guest signs", async (_, prepare) => {
    await page.openSession();
    prepare();
    await page.sign();

    expect(page.heading("Waiver signed")).toBeVisible();
    expect(storedReceipts()).toEqual([]);
  });

  test("SIGN-17 keeps no receipt of a template, whose page may be open on a tablet for all guests", async () => {
    await page.openTemplate();
    await page.sign();

    expect(page.heading("Waiver signed")).toBeVisible();
    expect(storedReceipts()).toEqual([]);
  });

  test("SIGN-17 keeps the receipt of a guest who is signed in", async () => {
    await page.openSession();
    localStorage.setItem("user", '{"role":"customer"}');
    await page.sign();

    expect(storedReceipts()).toHaveLength(1);
  });
});

test("the script of the front page looks for the entries that the signing page writes", async () => {
  await page.openSession();
  await page.sign();

  const [, prefix = "?"] = /\/([^/]+)\/\.test\(/.exec(RECEIPT_SCRIPT) ?? [];
  expect(storedReceipts()[0]).toMatch(new RegExp(`^${prefix}`));
});
