import { vi } from "vitest";

/** The stubbed canvas returns this picture, whatever is drawn on it. */
export const PICTURE = "data:image/png;base64,iVBORw0KGgo=";

/** The app paints the left half of 16 by 8 pixels black, and reads all of them back to detect noise. */
const PROBE_PIXELS = Uint8Array.from({ length: 512 }, (_, index) =>
  index % 4 === 3 && (index >> 2) % 16 < 8 ? 255 : 0,
);

/** Replaces the canvas, which jsdom does not have. Returns the recorded drawing calls as [method, ...arguments]. */
export function stubCanvas(): unknown[][] {
  const calls: unknown[][] = [];
  const context = new Proxy<Record<string, unknown>>(
    {
      measureText: (text: string) => ({ width: text.length * 10 }),
      getImageData: () => ({ data: PROBE_PIXELS }),
    },
    {
      get: (target, name: string) =>
        target[name] ?? ((...parameters: unknown[]) => calls.push([name, ...parameters])),
      set: (target, name: string, value) => {
        target[name] = value;
        calls.push([name, value]);
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
  return calls;
}
