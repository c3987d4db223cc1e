import { expect, test } from "vitest";
import { unknownPlaceholders } from "./placeholders";

test.each([
  ["I, [PARTICIPANT NAME], go with [COMPANY NAME].", []],
  [
    "I, [Participant Name], born [DATE OF BIRTH], [DATE OF BIRTH].",
    ["[Participant Name]", "[DATE OF BIRTH]"],
  ],
  ["See [1], [x] and [the map](https://example.com).", []],
])("the unknown placeholders of %j are %j", (content, expected) => {
  expect(unknownPlaceholders(content)).toEqual(expected);
});
