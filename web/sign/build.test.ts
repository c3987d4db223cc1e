import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { beforeAll, describe, expect, test, vi } from "vitest";

/** Builds a page that consists of a single file. */
async function buildPage(config: string, name: string): Promise<string> {
  // Tests run with NODE_ENV set to "test", with which the build would contain development warnings.
  vi.stubEnv("NODE_ENV", "production");
  const output = await build({
    configFile: `${import.meta.dirname}/${config}`,
    logLevel: "silent",
    build: { write: false },
  });
  const files = [output].flat().flatMap((result) => ("output" in result ? result.output : []));
  expect(files.map((file) => file.fileName)).toEqual([name]);
  vi.unstubAllEnvs();
  return files.map((file) => (file.type === "asset" ? String(file.source) : "")).join("");
}

const OTHER_RESOURCES = /<script[^>]+src=|<link[^>]+href="(?!data:)|@import|url\(|import\s*\(/;

let page = "";
beforeAll(async () => {
  page = await buildPage("vite.config.ts", "index.html");
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
    expect(page).not.toMatch(OTHER_RESOURCES);
  });

  test.each(["__CAIRN_ANON_KEY__", "__CAIRN_WAIVER__"])("contains the placeholder %s once", (placeholder) => {
    expect(page.split(placeholder)).toHaveLength(2);
  });

  test("uses Preact instead of React", () => {
    expect(script()).not.toMatch(/react-dom|__SECRET_INTERNALS/);
  });
});

test("FORM-14 the page of a waiver with a form needs a single request, and has at most 28 KB of script", async () => {
  const formPage = await buildPage("form.vite.config.ts", "form.html");

  // The part that invites adults is loaded only if a guest adds one.
  expect(formPage.match(/import\s*\([^)]*\)/g)).toEqual(["import(`/invite.js`)"]);
  expect(formPage.replace("import(`/invite.js`)", "")).not.toMatch(OTHER_RESOURCES);
  expect(formPage).toContain("__CAIRN_WAIVER__");
  expect(
    compressedBytes(/<script type="module">(.*?)<\/script>/s.exec(formPage)?.[1] ?? ""),
  ).toBeLessThanOrEqual(28 * 1024);
});

test("the page of a signed link needs a single request, and is smaller than the signing page", async () => {
  const signedPage = await buildPage("signed.vite.config.ts", "signed.html");

  expect(signedPage).not.toMatch(OTHER_RESOURCES);
  expect(signedPage).toContain("__CAIRN_WAIVER__");
  expect(compressedBytes(signedPage)).toBeLessThan(compressedBytes(page));
});
