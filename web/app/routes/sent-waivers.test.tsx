import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show } from "~/../testing/show";
import { saveLastSend } from "~/lib/browser-cache";
import SentWaivers from "./sent-waivers";

test("ROUTE-15 ROUTE-16 the page confirms that the waiver was sent and links back to the waivers", () => {
  show(<SentWaivers />, "/sent-waivers");

  expect(screen.getByRole("heading", { name: "Waivers Sent Successfully" })).toBeVisible();
  for (const name of ["Send a New Waiver", "Return to Waivers"]) {
    expect(screen.getByRole("link", { name })).toHaveAttribute("href", "/dashboard/waivers");
  }
});

test("ROUTE-17 if the waiver was not sent, the page shows the reason instead of a confirmation", () => {
  saveLastSend({ result: "failed", reason: "Mailbox full" });
  show(<SentWaivers />, "/sent-waivers");

  expect(screen.queryByText("Waivers Sent Successfully")).toBeNull();
  expect(screen.getByRole("heading", { name: "The waiver was not sent" })).toBeVisible();
  expect(screen.getByText("Mailbox full")).toBeVisible();
  expect(screen.getByRole("main").querySelector("svg.text-red")).toBeVisible();
  expect(screen.getAllByRole("link")).toHaveLength(2);
});
