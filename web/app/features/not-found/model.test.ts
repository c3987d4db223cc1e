import { expect, test } from "vitest";
import { classifyAddress, redirectTarget } from "./model";

const classify = (pathname: string, search = "", state: unknown = null) =>
  classifyAddress({ pathname, search, state });

test("NOTFOUND-01 an ordinary unknown path is not found", () => {
  expect(classify("/nope")).toEqual({ kind: "not-found" });
  expect(classify("/null/other")).toEqual({ kind: "not-found" });
  expect(classify("/sign/null")).toEqual({ kind: "not-found" });
});

test.each(["/email/1", "/mailbox", "/dashboard/sent-waivers"])(
  "NOTFOUND-03 the page at %s says that an email was sent",
  (path) => {
    expect(classify(path)).toEqual({ kind: "sent" });
  },
);

test("NOTFOUND-04 with a flag in the query or the navigation state, the page says that an email was sent", () => {
  expect(classify("/nope", "?emailSent=true")).toEqual({ kind: "sent" });
  expect(classify("/nope", "", { emailSent: true })).toEqual({ kind: "sent" });
  expect(classify("/nope", "", { email: { result: "sent" } })).toEqual({ kind: "sent" });
  expect(classify("/nope", "?emailSent=yes")).toEqual({ kind: "not-found" });
});

test.each(["/null/emails", "/undefined/send-email", "/x/undefined/sign/session/abc"])(
  "NOTFOUND-05 the page at %s, where an id is missing, says that an email was sent",
  (path) => expect(classify(path)).toEqual({ kind: "sent" }),
);

test.each([
  ["?emailFailed=true&reason=Mailbox full", null, "Mailbox full"],
  ["?emailSent=false", null, "The reason is not known."],
  ["", { email: { result: "failed", reason: "Refused" } }, "Refused"],
  ["", { emailFailed: true }, "The reason is not known."],
])("NOTFOUND-07 the query %s with the state %o means that the email failed: %s", (search, state, reason) => {
  expect(classify("/dashboard/sent-waivers", search, state)).toEqual({ kind: "failed", reason });
});

test("an email that was kept in the local mailbox is not reported as sent", () => {
  expect(classify("/dashboard/sent-waivers", "", { email: { result: "kept" } })).toEqual({ kind: "kept" });
});

test.each([
  ["/x/undefined/sign/session/abc", "/waivers/sign/session/abc"],
  ["/mail/sign/session/null", "/dashboard/waivers"],
  ["/mail/sign/session/undefined", "/dashboard/waivers"],
  ["/mail/sign/", "/dashboard/waivers"],
  ["/dashboard/sent-waivers", "/sent-waivers"],
  ["/email", "/sent-waivers"],
])("NOTFOUND-09 NOTFOUND-10 NOTFOUND-11 from %s the countdown redirects to %s", (path, target) => {
  expect(redirectTarget(path)).toBe(target);
});
