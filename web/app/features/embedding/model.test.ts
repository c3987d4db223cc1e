import { expect, test } from "vitest";
import { toWebsiteList, framingSchema, toFraming, snippet, parseWebsite } from "./model";

test("the snippet is a single frame, and special characters in the template name are escaped", () => {
  const name = 'River "day" & <b>night</b> > dawn';
  document.body.innerHTML = snippet("https://cairn.example/embed/tpl-1?company=c1&x=2", name);

  const [frame, ...otherElements] = document.body.children;
  expect(otherElements).toEqual([]);
  expect(frame).toBeInstanceOf(HTMLIFrameElement);
  expect(frame).toHaveAttribute("title", `Sign ${name}`);
  expect(frame).toHaveAttribute("src", "https://cairn.example/embed/tpl-1?company=c1&x=2");
  document.body.replaceChildren();
});

test.each([
  ["https://www.rio.example/book/today?x=1", "https://www.rio.example"],
  ["rio.example", "https://rio.example"],
  ["HTTP://Rio.Example:8080", "http://rio.example:8080"],
  ["https://río.example", "https://xn--ro-nja.example"],
  ["localhost:3000", "https://localhost:3000"],
  ["rio", null],
  ["*", null],
  ["https://*.rio.example", null],
  ["ftp://rio.example", null],
  ["javascript:alert(1)", null],
  ["https://rio.example;", null],
])("%s is parsed as the website %s", (text, website) => {
  expect(parseWebsite(text)).toBe(website);
});

test("a list of websites is split at line breaks and commas, and duplicates are removed", () => {
  const framing = {
    who: "named" as const,
    websites: " rio.example\n\nhttps://rio.example/book, https://sea.example ",
  };

  expect(toWebsiteList(framing)).toEqual(["https://rio.example", "https://sea.example"]);
  expect(toWebsiteList({ ...framing, who: "any" })).toEqual(["*"]);
  expect(toWebsiteList({ ...framing, websites: "" })).toEqual([]);
  expect(toFraming(["https://rio.example", "https://sea.example"])).toEqual({
    who: "named",
    websites: "https://rio.example\nhttps://sea.example",
  });
});

test("more than twenty websites are rejected", () => {
  const websites = Array.from({ length: 21 }, (_, number) => `${number}.example`).join("\n");

  expect(framingSchema.safeParse({ who: "named", websites }).error?.issues[0]?.message).toBe(
    "Please name at most 20 websites",
  );
  expect(framingSchema.safeParse({ who: "any", websites }).success).toBe(true);
});
