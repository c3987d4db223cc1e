import { expect, test } from "vitest";
import { isPhoneNumber } from "./phone";

test.each(["+12125550123", "+1 (212) 555-0123", "0041 79 123 45 67", " +41.79.123.45.67 "])(
  "%j is a phone number",
  (text) => {
    expect(isPhoneNumber(text)).toBe(true);
  },
);

test.each(["079 123 45 67", "+41 79", "call me", "", "+", "+1234567890123456789"])(
  "%j has no country code or is not a phone number",
  (text) => {
    expect(isPhoneNumber(text)).toBe(false);
  },
);
