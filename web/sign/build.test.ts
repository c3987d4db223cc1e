import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { beforeAll, describe, expect, test, vi } from "vitest";

let page = "";
beforeAll(async () => {
  // As it is really built: under the test's own name it would carry the notes of a development build.
  vi.stubEnv("NODE_ENV", "production");
  const built = await build({
    configFile: `${import.meta.dirname}/vite.config.ts`,
    logLevel: "silent",
    build: { write: false },
  });
  const files = [built].flat().flatMap((made) => ("output" in made ? made.output : []));
  expect(files.map((file) => file.fileName)).toEqual(["index.html"]);
  vi.unstubAllEnvs();
  page = files.map((file) => (file.type === "asset" ? String(file.source) : "")).join("");
});

const script = () => /<script type="module">(.*?)<\/script>/s.exec(page)?.[1] ?? "";
const weight = (text: string) => gzipSync(text, { level: 6 }).length;

/** All samples together: more than any one waiver of ours. */
const SAMPLES = readFileSync(
  `${import.meta.dirname}/../../cairn/db/migrations/0007_waivers_templates.sql`,
  "utf8",
);

describe("the built signing page", () => {
  test("weighs at most 20 KB of script and 30 KB in all, compressed", () => {
    expect(script().length).toBeGreaterThan(10_000);
    expect(weight(script())).toBeLessThanOrEqual(20 * 1024);
    expect(weight(page.replace("__CAIRN_WAIVER__", () => JSON.stringify(SAMPLES)))).toBeLessThanOrEqual(
      30 * 1024,
    );
  });

  test("is one request: nothing in it is loaded from elsewhere", () => {
    expect(page).not.toMatch(/<script[^>]+src=|<link[^>]+href="(?!data:)|@import|url\(|import\s*\(/);
  });

  test.each(["__CAIRN_ANON_KEY__", "__CAIRN_WAIVER__"])(
    "has one place for the server to fill: %s",
    (place) => {
      expect(page.split(place)).toHaveLength(2);
    },
  );

  test("runs on Preact, not on React", () => {
    expect(script()).not.toMatch(/react-dom|__SECRET_INTERNALS/);
  });
});
