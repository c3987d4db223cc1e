import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { show } from "~/../testing/show";
import Pieces from "./ui";

test("every piece is shown, in both lights and both directions", async () => {
  show(<Pieces />, "/dev/ui");

  await userEvent.click(screen.getByRole("button", { name: "Dark" }));
  expect(document.documentElement.dataset.theme).toBe("dark");
  await userEvent.click(screen.getByRole("button", { name: "Light" }));
  expect(document.documentElement.dataset.theme).toBe("light");
  await userEvent.click(screen.getByRole("button", { name: "Right to left" }));
  expect(document.documentElement.dir).toBe("rtl");
  await userEvent.click(screen.getByRole("button", { name: "Left to right" }));
  expect(document.documentElement.dir).toBe("ltr");
  await userEvent.click(screen.getByRole("button", { name: "Dialog" }));
  expect(screen.getByRole("dialog", { name: "A dialog" })).toBeVisible();
});

// Seen only without scripts or a network; what another piece fetches; the region of toasts, which comes with the first.
const ELSEWHERE = ["needs-script", "offline-copy-label", "offline-notice", "on-demand", "toaster"];

test("no piece is forgotten", () => {
  const pieces = Object.keys(import.meta.glob("../../ui/*.tsx")).filter((file) => !file.includes(".test."));
  const pages = Object.values(
    import.meta.glob<string>(["./ui.tsx", "../../features/ui-catalog/*.tsx"], {
      query: "?raw",
      import: "default",
      eager: true,
    }),
  );

  const names = pieces.map((file) => file.replace(/^.*\/|\.tsx$/g, ""));
  const forgotten = names.filter((name) => !pages.some((page) => page.includes(`"~/ui/${name}"`)));

  expect(forgotten).toEqual(ELSEWHERE);
});
