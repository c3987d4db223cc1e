import { act, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { RelativeTime } from "./relative-time";

afterEach(() => vi.useRealTimers());

test("APP-22 a relative time stays true while the page is open", () => {
  vi.useFakeTimers({ now: new Date("2026-03-04T12:00:00Z") });
  render(<RelativeTime at="2026-03-04T11:59:50Z" />);
  expect(screen.getByText("just now")).toBeVisible();

  act(() => void vi.advanceTimersByTime(5 * 60_000));
  expect(screen.getByText("5 minutes ago")).toBeVisible();
});

test("APP-22 a relative time that appears later starts with the current time", () => {
  vi.useFakeTimers({ now: new Date("2026-03-04T12:00:00Z") });
  render(<RelativeTime at="2026-03-04T11:59:50Z" />).unmount();
  vi.setSystemTime(new Date("2026-03-04T13:00:00Z"));
  render(<RelativeTime at="2026-03-04T11:59:50Z" />);

  expect(screen.getByText("1 hour ago")).toBeVisible();
});
