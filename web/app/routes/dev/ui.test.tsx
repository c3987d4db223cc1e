import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { show } from "~/../testing/show";
import UiCatalog from "./ui";

test("the catalog can be shown in both themes and both text directions", async () => {
  show(<UiCatalog />, "/dev/ui");

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

// These components mainly arrange others, fill the whole screen, are shown by another component, or are for
// browsers without scripts or a network.
const NOT_IN_CATALOG = [
  "centered-page",
  "form",
  "muted-lines",
  "needs-script",
  "offline-copy-label",
  "offline-notice",
  "on-demand",
  "result-card",
  "row-text",
  "submit-actions",
  "titled-card",
  "toaster",
];

test("every component of ui is in the catalog, except for those in NOT_IN_CATALOG", () => {
  const components = Object.keys(import.meta.glob("../../ui/*.tsx")).filter(
    (file) => !file.includes(".test."),
  );
  const catalogSources = Object.values(
    import.meta.glob<string>(["./ui.tsx", "../../features/ui-catalog/*.tsx"], {
      query: "?raw",
      import: "default",
      eager: true,
    }),
  );

  const names = components.map((file) => file.replace(/^.*\/|\.tsx$/g, ""));
  const missing = names.filter((name) => !catalogSources.some((source) => source.includes(`"~/ui/${name}"`)));

  expect(missing).toEqual(NOT_IN_CATALOG);
});
