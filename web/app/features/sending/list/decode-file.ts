export const MAX_FILE_BYTES = 1_000_000;

type DecodedFile = { text: string } | { problem: string };

const WORKBOOK =
  "This is a workbook, not a CSV file. In your spreadsheet, choose Save as or Download, and then CSV. Or copy the cells and paste them here.";
const NOT_TEXT = "This file contains no list. Please choose a CSV or text file.";
export const FILE_TOO_LARGE = "This file is larger than 1 MB. Please choose one with fewer rows or columns.";
const FILE_EMPTY = "This file is empty.";

/** Excel files of both kinds, and those of LibreOffice and Numbers, begin with one of these sequences of bytes. */
const WORKBOOK_STARTS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

const BYTE_ORDER_MARKS = [
  { encoding: "utf-8", bytes: [0xef, 0xbb, 0xbf] },
  { encoding: "utf-16le", bytes: [0xff, 0xfe] },
  { encoding: "utf-16be", bytes: [0xfe, 0xff] },
];

/** Returns the text of a file in the encodings that spreadsheets write: UTF-8, UTF-16 and Windows-1252. */
export function decodeListFile(bytes: Uint8Array): DecodedFile {
  if (bytes.length === 0) return { problem: FILE_EMPTY };
  if (bytes.length > MAX_FILE_BYTES) return { problem: FILE_TOO_LARGE };
  if (WORKBOOK_STARTS.some((start) => startsWith(bytes, start))) return { problem: WORKBOOK };
  const text = decode(bytes);
  if (text.includes("\0")) return { problem: NOT_TEXT };
  return text.trim() === "" ? { problem: FILE_EMPTY } : { text };
}

function decode(bytes: Uint8Array): string {
  const mark = BYTE_ORDER_MARKS.find((candidate) => startsWith(bytes, candidate.bytes));
  const encoding = mark?.encoding ?? utf16WithoutMark(bytes);
  if (encoding) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Excel on Windows writes "CSV" in this encoding unless "CSV UTF-8" is chosen.
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

const startsWith = (bytes: Uint8Array, start: number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);

/** In UTF-16, every other byte of a Latin text is zero. In the other encodings, no byte of a text is zero. */
function utf16WithoutMark(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, 1000);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries())
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const manyZeros = sample.length / 4;
  if (odd > manyZeros && even < odd / 4) return "utf-16le";
  return even > manyZeros && odd < even / 4 ? "utf-16be" : undefined;
}
