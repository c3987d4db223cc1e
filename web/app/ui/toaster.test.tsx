import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { toast } from "./toast-store";
import Toaster from "./toaster";

const showToast = (title: string, duration?: number) =>
  act(() => toast(duration === undefined ? { title } : { title, duration }));
// Radix briefly adds a copy of the text for screen readers, which is not a list item.
const visibleToasts = () => screen.queryAllByRole("listitem").map((item) => item.textContent);

afterEach(() => void vi.useRealTimers());

test("UX-01 one toast is visible at a time, and a new one replaces the old", () => {
  render(<Toaster />);

  showToast("First");
  showToast("Second");

  expect(visibleToasts()).toEqual(["Second"]);
});

test("UX-02 a toast closes after 5 s, or after its own duration", async () => {
  vi.useFakeTimers();
  render(<Toaster />);

  showToast("Short");
  await act(() => vi.advanceTimersByTimeAsync(4900));
  expect(visibleToasts()).toEqual(["Short"]);
  await act(() => vi.advanceTimersByTimeAsync(200));
  expect(visibleToasts()).toEqual([]);

  showToast("Long", 10_000);
  await act(() => vi.advanceTimersByTimeAsync(9900));
  expect(visibleToasts()).toEqual(["Long"]);
});

test("UX-04 F8 moves the focus to the notification region", () => {
  render(<Toaster />);
  showToast("Look here");

  fireEvent.keyDown(document, { key: "F8", code: "F8" });

  expect(screen.getByRole("list")).toHaveFocus();
});

test.each([
  [49, ["Swipe me"]],
  [60, []],
])("UX-03 after a swipe of %i px the visible toasts are %o", (distance, expected) => {
  render(<Toaster />);
  showToast("Swipe me");
  const item = screen.getByRole("listitem");
  Object.assign(item, { setPointerCapture() {}, releasePointerCapture() {}, hasPointerCapture: () => true });

  fireEvent.pointerDown(item, { button: 0, clientX: 0, clientY: 0, pointerId: 1 });
  fireEvent.pointerMove(item, { clientX: distance / 2, clientY: 0, pointerId: 1 });
  fireEvent.pointerMove(item, { clientX: distance, clientY: 0, pointerId: 1 });
  fireEvent.pointerUp(item, { clientX: distance, clientY: 0, pointerId: 1 });

  expect(visibleToasts()).toEqual(expected);
});
