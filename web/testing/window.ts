import { vi } from "vitest";

const REM_PX = 16;

/**
 * Simulates a screen, ResizeObserver and scrolling, which a virtual list needs and jsdom does not have. Only media queries
 * such as `(min-width: 40rem)` depend on the width.
 */
export function stubWindow(width = 1280): void {
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: width >= Number(/min-width: ([\d.]+)rem/.exec(query)?.[1] ?? 0) * REM_PX,
    addEventListener() {},
    removeEventListener() {},
  }));
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  Element.prototype.scrollIntoView = () => {};
  vi.stubGlobal("scrollTo", () => {});
  scrollTo(0);
}

export function scrollTo(top: number): void {
  Object.defineProperty(window, "scrollY", { configurable: true, value: top });
  window.dispatchEvent(new Event("scroll"));
}
