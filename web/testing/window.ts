import { vi } from "vitest";

/** What jsdom's window lacks and a long list needs: a wide screen, a sense for sizes, a way to scroll. */
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
