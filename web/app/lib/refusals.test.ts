import { expect, test } from "vitest";

import { refusalCode, refusalText } from "./refusals";

test("a refusal has a code and the text of that code", () => {
  const details = '{"code": "waiver_expired", "parameters": {"expires_at": "2026-11-15"}}';

  expect(refusalCode(details)).toBe("waiver_expired");
  expect(refusalText(details)).toBe("This waiver has expired. Please ask for a new link.");
});

test("parameters replace the placeholders of the text", () => {
  const details = '{"code": "time_zone_unknown", "parameters": {"time_zone": "Europe/Oz"}}';

  expect(refusalText(details)).toBe("There is no time zone called Europe/Oz.");
});

test.each([
  null,
  undefined,
  "",
  "Key (id)=(1) already exists.",
  '{"code": "of_a_newer_server", "parameters": {}}',
])("error details such as %s have no refusal text", (details) => {
  expect(refusalText(details)).toBeUndefined();
});
