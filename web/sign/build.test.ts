import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { beforeAll, describe, expect, test, vi } from "vitest";

let page = "";
beforeAll(async () => {
  // Tests run with NODE_ENV set to "test", with which the build would contain development warnings.
  vi.stubEnv("NODE_ENV", "production");
  const output = await build({
    configFile: `${import.meta.dirname}/vite.config.ts`,
    logLevel: "silent",
    build: { write: false },
  });
  const files = [output].flat().flatMap((result) => ("output" in result ? result.output : []));
  expect(files.map((file) => file.fileName)).toEqual(["index.html"]);
  vi.unstubAllEnvs();
  page = files.map((file) => (file.type === "asset" ? String(file.source) : "")).join("");
});

const script = () => /<script type="module">(.*?)<\/script>/s.exec(page)?.[1] ?? "";
const compressedBytes = (text: string) => gzipSync(text, { level: 6 }).length;

/** All sample templates together are about as long as a long waiver. A template may have up to 100,000 characters. */
const SAMPLES = readFileSync(
  `${import.meta.dirname}/../../cairn/waivers/migrations/0001_baseline.sql`,
  "utf8",
).split("insert into public.waiver_templates ")[1];

describe("the built signing page", () => {
  test("has at most 20 KB of script and 30 KB in total, compressed", () => {
    expect(script().length).toBeGreaterThan(10_000);
    expect(compressedBytes(script())).toBeLessThanOrEqual(20 * 1024);
    expect(
      compressedBytes(page.replace("__CAIRN_WAIVER__", () => JSON.stringify(SAMPLES))),
    ).toBeLessThanOrEqual(30 * 1024);
  });

  test("needs a single request and no further resources", () => {
    expect(page).not.toMatch(/<script[^>]+src=|<link[^>]+href="(?!data:)|@import|url\(|import\s*\(/);
  });

  test.each(["__CAIRN_ANON_KEY__", "__CAIRN_WAIVER__"])("contains the placeholder %s once", (placeholder) => {
    expect(page.split(placeholder)).toHaveLength(2);
  });

  test("uses Preact instead of React", () => {
    expect(script()).not.toMatch(/react-dom|__SECRET_INTERNALS/);
  });
});
