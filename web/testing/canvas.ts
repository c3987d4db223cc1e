import { vi } from "vitest";

export const PICTURE = "data:image/png;base64,iVBORw0KGgo=";

/** Sixteen by eight dots, of which the left half is black: what an honest browser reads back. */
const PROBE = Uint8Array.from({ length: 512 }, (_, index) =>
  index % 4 === 3 && (index >> 2) % 16 < 8 ? 255 : 0,
);

/** jsdom has no canvas: one that notes what is drawn on it, as [method, ...arguments]. */
export function stubCanvas(): unknown[][] {
  const drawn: unknown[][] = [];
  const brush = new Proxy<Record<string, unknown>>(
    { measureText: (text: string) => ({ width: text.length * 10 }), getImageData: () => ({ data: PROBE }) },
    {
      get: (known, name: string) => known[name] ?? ((...given: unknown[]) => drawn.push([name, ...given])),
      set: (known, name: string, value) => {
        known[name] = value;
        drawn.push([name, value]);
        return true;
      },
    },
  );
  Object.defineProperty(HTMLCanvasElement.prototype, "getContext", {
    configurable: true,
    value: () => brush,
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
