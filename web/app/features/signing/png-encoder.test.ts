import { inflateSync } from "node:zlib";
import { afterEach, expect, test, vi } from "vitest";
import { stubCanvas } from "../../../testing/canvas";
import { encodeStrokesAsPng, isCanvasReadable } from "./png-encoder";

afterEach(() => vi.restoreAllMocks());

const at = (x: number, y: number) => ({ x, y, pressure: 0.5, time: 0 });
const SIZE = { width: 600, height: 200 };

/** The first 33 bytes of the file are its header. The 600 pixels of a row take a filter byte and 75 more bytes. */
function pixelsOf(dataUrl: string) {
  const png = Buffer.from(dataUrl.replace("data:image/png;base64,", ""), "base64");
  const length = png.readUInt32BE(33);
  const rows = inflateSync(png.subarray(41, 41 + length));
  return (x: number, y: number) =>
    (rows[y * 76 + 1 + (x >> 3)] ?? 0) & (128 >> (x & 7)) ? "white" : "black";
}

test("the picture is black along the strokes and white everywhere else", () => {
  const pixel = pixelsOf(encodeStrokesAsPng([[at(100, 50), at(300, 150)], [at(599, 199)]], SIZE));

  expect([pixel(100, 50), pixel(200, 100), pixel(299, 149), pixel(598, 198)]).toEqual(Array(4).fill("black"));
  expect([pixel(0, 0), pixel(200, 50), pixel(320, 160), pixel(599, 0)]).toEqual(Array(4).fill("white"));
});

test("a canvas that returns noise is reported as not readable", () => {
  stubCanvas();
  expect(isCanvasReadable()).toBe(true);

  const noise = { fillRect: () => {}, getImageData: () => ({ data: new Uint8Array(512).fill(255) }) };
  Object.defineProperty(HTMLCanvasElement.prototype, "getContext", {
    configurable: true,
    value: () => noise,
  });
  expect(isCanvasReadable()).toBe(false);
});
