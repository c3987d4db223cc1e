import { inflateSync } from "node:zlib";
import { afterEach, expect, test, vi } from "vitest";
import { stubCanvas } from "../../../testing/canvas";
import { plainPicture, readsTruly } from "./plain-picture";

afterEach(() => vi.restoreAllMocks());

const at = (x: number, y: number) => ({ x, y, pressure: 0.5, time: 0 });
const SIZE = { width: 600, height: 200 };

function dotsOf(dataUrl: string) {
  const png = Buffer.from(dataUrl.replace("data:image/png;base64,", ""), "base64");
  const length = png.readUInt32BE(33);
  const rows = inflateSync(png.subarray(41, 41 + length));
  return (x: number, y: number) =>
    (rows[y * 76 + 1 + (x >> 3)] ?? 0) & (128 >> (x & 7)) ? "white" : "black";
}

test("the strokes become a picture where they were drawn, and nowhere else", () => {
  const dot = dotsOf(plainPicture([[at(100, 50), at(300, 150)], [at(599, 199)]], SIZE));

  expect([dot(100, 50), dot(200, 100), dot(299, 149), dot(598, 198)]).toEqual(Array(4).fill("black"));
  expect([dot(0, 0), dot(200, 50), dot(320, 160), dot(599, 0)]).toEqual(Array(4).fill("white"));
});

test("an honest canvas is believed, and noise is not", () => {
  stubCanvas();
  expect(readsTruly()).toBe(true);

  const noise = { fillRect: () => {}, getImageData: () => ({ data: new Uint8Array(512).fill(255) }) };
  Object.defineProperty(HTMLCanvasElement.prototype, "getContext", {
    configurable: true,
    value: () => noise,
  });
  expect(readsTruly()).toBe(false);
});
