import type { Stroke } from "./ink";
import type { Size } from "./surface";

/** Some browsers give pages noise instead of what they drew, against being recognised by it. Then no picture can be read. */
export function readsTruly(): boolean {
  const canvas = document.createElement("canvas");
  const brush = canvas.getContext("2d");
  brush?.fillRect(0, 0, 8, 8);
  const dots = brush?.getImageData(0, 0, 16, 8).data;
  return dots?.every((value, index) => index % 4 < 3 || value > 200 === (index >> 2) % 16 < 8) ?? false;
}

/** The strokes as a PNG made without a canvas: black on white, one bit a dot, a line of two dots. */
export function plainPicture(strokes: Stroke[], { width, height }: Size): string {
  const row = (width >> 3) + 1;
  // A filter byte, which is zero, and then eight dots a byte.
  const dots = new Uint8Array(row * height).map((_, index) => (index % row ? 255 : 0));
  const ink = (x: number, y: number) => {
    const place = y * row + 1 + (x >> 3);
    if (x >= 0 && x < width && y >= 0 && y < height) dots[place] = (dots[place] ?? 0) & ~(128 >> (x & 7));
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
          ink(x - right, y - down);
      }
    });
  const header = [...number(width), ...number(height), 1, 0, 0, 0, 0];
  const png = [
    137,
    80,
    78,
    71,
    13,
    10,
    26,
    10,
    ...chunk("IHDR", header),
    ...chunk("IDAT", stored(dots)),
    ...chunk("IEND", []),
  ];
  return `data:image/png;base64,${btoa(String.fromCharCode(...png))}`;
}

const number = (value: number) => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255];

function chunk(name: string, body: number[]): number[] {
  const named = [...Array.from(name, (letter) => letter.charCodeAt(0)), ...body];
  return [...number(body.length), ...named, ...number(checksum(named))];
}

/** CRC-32. */
function checksum(bytes: number[]): number {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum;
}

/** In zlib's clothes without being compressed: one block of at most 64 KB, with its Adler-32. */
function stored(bytes: Uint8Array): number[] {
  const { length } = bytes;
  let low = 1;
  let high = 0;
  for (const byte of bytes) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  const size = [length & 255, length >> 8, ~length & 255, (~length >> 8) & 255];
  return [120, 1, 1, ...size, ...bytes, ...number(high * 65536 + low)];
}
