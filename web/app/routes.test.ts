import { expect, test } from "vitest";
import routes from "./routes";

type Entry = (typeof routes)[number];

const filesOf = ({ file, children = [] }: Entry): string[] => [file, ...children.flatMap(filesOf)];

test("every module in routes/ is a route", () => {
  const modules = Object.keys(import.meta.glob(["./routes/**/*.{ts,tsx}", "!./routes/**/*.test.{ts,tsx}"]));
  const routeFiles = new Set([...routes.flatMap(filesOf), "routes/dev/ui.tsx"]);

  expect(modules.map((file) => file.slice(2)).filter((file) => !routeFiles.has(file))).toEqual([]);
});
