import { vi } from "vitest";

/** Simulates a wide screen, ResizeObserver and scrolling, which a virtual list needs and jsdom does not have. */
export function stubWindow(): void {
  vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
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
