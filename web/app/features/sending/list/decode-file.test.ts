import { expect, test } from "vitest";
import { decodeListFile, MAX_FILE_BYTES } from "./decode-file";

const TEXT = "Name;E-Mail\r\nJosé Ibáñez;jose@example.com\r\n";

const utf16 = (text: string, isLittleEndian: boolean): number[] =>
  Array.from({ length: text.length }, (_, index) => {
    const code = text.charCodeAt(index);
    const pair = [code & 0xff, code >> 8];
    return isLittleEndian ? pair : pair.toReversed();
  }).flat();

const latin1 = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));

test.each([
  ["UTF-8", [...new TextEncoder().encode(TEXT)]],
  ["UTF-8 with a byte order mark", [0xef, 0xbb, 0xbf, ...new TextEncoder().encode(TEXT)]],
  ["16-bit Unicode, little endian with a byte order mark", [0xff, 0xfe, ...utf16(TEXT, true)]],
  ["16-bit Unicode, big endian with a byte order mark", [0xfe, 0xff, ...utf16(TEXT, false)]],
  ["16-bit Unicode, little endian without a byte order mark", utf16(TEXT, true)],
  ["16-bit Unicode, big endian without a byte order mark", utf16(TEXT, false)],
  ["Windows-1252", latin1(TEXT)],
])("APP-40 a file in %s is read", (_, bytes) => {
  expect(decodeListFile(Uint8Array.from(bytes))).toEqual({ text: TEXT });
});

test("typographic characters of Windows-1252 are read", () => {
  expect(decodeListFile(Uint8Array.from([0x4f, 0x92, 0x4e, 0x80]))).toEqual({ text: "O’N€" });
});

test.each([
  ["an empty file", [], /^This file is empty/],
  ["blank lines", latin1(" \r\n\r\n"), /^This file is empty/],
  ["an Excel workbook", [0x50, 0x4b, 0x03, 0x04, 0x14, 0x00], /^This is a workbook, not a CSV file/],
  ["an old Excel workbook", [0xd0, 0xcf, 0x11, 0xe0, 0xa1], /^This is a workbook, not a CSV file/],
  [
    "a picture",
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x0d],
    /^This file contains no list/,
  ],
])("APP-43 %s is refused with a reason", (_, bytes, problem) => {
  expect(decodeListFile(Uint8Array.from(bytes))).toEqual({ problem: expect.stringMatching(problem) });
});

test("APP-43 a file of at most 1 MB is read", () => {
  const bytes = new Uint8Array(MAX_FILE_BYTES).fill(0x61);
  expect(decodeListFile(bytes)).toEqual({ text: "a".repeat(MAX_FILE_BYTES) });
  expect(decodeListFile(new Uint8Array(MAX_FILE_BYTES + 1).fill(0x61))).toEqual({
    problem: expect.stringMatching(/^This file is larger than 1 MB/),
  });
});
