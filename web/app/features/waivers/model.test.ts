import { expect, test } from "vitest";
import { pendingRow, recentWaiver } from "./model";

const session = {
  id: "0d3ebe4c-5794-4b27-8793-55f5e7150676",
  template_name: "River day",
  recipient_name: "Gil Moreau",
  signer_name: "Gilbert",
  status: "pending",
  created_at: "2026-03-04T12:00:00Z",
} as const;

test("ENT-16 DASH-11 a recent waiver has a short id, guest, template, date, status and its full id", () => {
  expect(recentWaiver(session)).toEqual({
    id: session.id,
    shortId: "0d3ebe4c",
    guest: "Gil Moreau",
    template: "River day",
    date: "2026-03-04",
    status: "pending",
  });
});

test.each([
  ["Gil", "Gilbert", "Gil"],
  [null, "Gilbert", "Gilbert"],
  ["", "Gilbert", "Gilbert"],
  [null, null, "Anonymous"],
])("DASH-12 recipient %s and signer %s make the guest %s", (recipient_name, signer_name, guest) => {
  expect(recentWaiver({ ...session, recipient_name, signer_name }).guest).toBe(guest);
});

test.each([
  ["signed", "signed"],
  ["pending", "pending"],
  ["template_default", "pending"],
] as const)("DASH-06 the status %s is displayed as %s", (status, shown) => {
  expect(recentWaiver({ ...session, status }).status).toBe(shown);
});

test.each([
  ["2026-04-01T00:00:00Z", "expired"],
  ["2026-04-02T00:00:00Z", "pending"],
  [null, "pending"],
])("MGMT-07 a pending session that ends at %s is %s on the first of April at noon", (expires_at, status) => {
  const pending = { ...session, recipient_email: "gil@example.com", expires_at };
  expect(pendingRow(pending, new Date("2026-04-01T12:00:00Z")).status).toBe(status);
});
