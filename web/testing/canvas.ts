import { vi } from "vitest";

export const PICTURE = "data:image/png;base64,iVBORw0KGgo=";

/** 16 by 8 pixels with a black left half: what a browser returns unless it randomizes canvas data. */
const PROBE = Uint8Array.from({ length: 512 }, (_, index) =>
  index % 4 === 3 && (index >> 2) % 16 < 8 ? 255 : 0,
);

/** Replaces the canvas, which jsdom lacks. Returns the recorded drawing calls as [method, ...arguments]. */
export function stubCanvas(): unknown[][] {
  const drawn: unknown[][] = [];
  const context = new Proxy<Record<string, unknown>>(
    { measureText: (text: string) => ({ width: text.length * 10 }), getImageData: () => ({ data: PROBE }) },
    {
      get: (known, name: string) =>
        known[name] ?? ((...parameters: unknown[]) => drawn.push([name, ...parameters])),
      set: (known, name: string, value) => {
        known[name] = value;
        drawn.push([name, value]);
        return true;
      },
    },
  );
  Object.defineProperty(HTMLCanvasElement.prototype, "getContext", {
    configurable: true,
    value: () => context,
  });
  vi.spyOn(HTMLCanvasElement.prototype, "toDataURL").mockReturnValue(PICTURE);
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
  Element.prototype.scrollIntoView = () => {};
  return drawn;
}
