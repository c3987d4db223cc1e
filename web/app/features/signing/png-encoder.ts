import type { Size, Stroke } from "./signature-input";

/**
 * Browsers that protect against fingerprinting return noise instead of the drawn pixels. In those browsers the
 * signature cannot be exported from a canvas.
 */
export function isCanvasReadable(): boolean {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  context?.fillRect(0, 0, 8, 8);
  const pixels = context?.getImageData(0, 0, 16, 8).data;
  // Every fourth value is the opacity of a pixel. Only the first eight of each 16 pixels were painted.
  return pixels?.every((value, index) => index % 4 < 3 || value > 200 === (index >> 2) % 16 < 8) ?? false;
}

/**
 * Encodes the strokes as a PNG without a canvas. The picture is black on white with one bit per pixel, and the lines
 * are two pixels wide.
 */
export function encodeStrokesAsPng(strokes: Stroke[], { width, height }: Size): string {
  // Each row is a filter byte, which is zero, followed by eight pixels per byte. A set bit is white.
  const rowBytes = (width >> 3) + 1;
  const pixels = new Uint8Array(rowBytes * height).map((_, index) => (index % rowBytes ? 255 : 0));
  const blacken = (x: number, y: number) => {
    const offset = y * rowBytes + 1 + (x >> 3);
    if (x >= 0 && x < width && y >= 0 && y < height)
      pixels[offset] = (pixels[offset] ?? 0) & ~(128 >> (x & 7));
  };
  for (const stroke of strokes)
    stroke.forEach((to, index) => {
      const from = stroke[index - 1] ?? to;
      const steps = Math.ceil(2 * Math.hypot(to.x - from.x, to.y - from.y)) + 1;
      for (let step = 1; step <= steps; step++) {
        const x = Math.round(from.x + ((to.x - from.x) * step) / steps);
        const y = Math.round(from.y + ((to.y - from.y) * step) / steps);
        for (const [right, down] of [
          [0, 0],
          [1, 0],
          [0, 1],
          [1, 1],
        ] as const)
          blacken(x - right, y - down);
      }
    });
  // The last bytes mean one bit per pixel, grayscale, and the default compression, filter and interlacing.
  const header = [...uint32(width), ...uint32(height), 1, 0, 0, 0, 0];
  const png = [
    ...PNG_SIGNATURE,
    ...chunk("IHDR", header),
    ...chunk("IDAT", zlibUncompressed(pixels)),
    ...chunk("IEND", []),
  ];
  return `data:image/png;base64,${btoa(String.fromCharCode(...png))}`;
}

const PNG_SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];
const uint32 = (value: number) => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255];

function chunk(name: string, body: number[]): number[] {
  const content = [...Array.from(name, (character) => character.charCodeAt(0)), ...body];
  return [...uint32(body.length), ...content, ...uint32(crc32(content))];
}

function crc32(bytes: number[]): number {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum;
}

/** Returns a zlib stream with one uncompressed block of at most 64 KB, followed by its Adler-32 checksum. */
function zlibUncompressed(bytes: Uint8Array): number[] {
  const { length } = bytes;
  let low = 1;
  let high = 0;
  for (const byte of bytes) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  const size = [length & 255, length >> 8, ~length & 255, (~length >> 8) & 255];
  return [120, 1, 1, ...size, ...bytes, ...uint32(high * 65536 + low)];
}
