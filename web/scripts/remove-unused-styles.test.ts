import { expect, test } from "vitest";
import { removeUnusedStyles } from "./remove-unused-styles.ts";

const STYLE =
  "<style>@keyframes spin{to{rotate:1turn}}.mt-0\\.5{margin-top:2px}.wide\\:flex{display:flex}.text-wrap{text-wrap:wrap}h1{text-wrap:balance}.kept{color:red}.\\[\\&_svg\\]\\:h-4 svg{height:1rem}</style>";

test("only the rules for classes of the page stay", () => {
  const page = `${STYLE}<p class="mt-0.5 kept">Text</p><div class="[&amp;_svg]:h-4"></div>`;

  expect(removeUnusedStyles(page)).toBe(
    '<style>@keyframes spin{to{rotate:1turn}}.mt-0\\.5{margin-top:2px}h1{text-wrap:balance}.kept{color:red}.\\[\\&_svg\\]\\:h-4 svg{height:1rem}</style><p class="mt-0.5 kept">Text</p><div class="[&amp;_svg]:h-4"></div>',
  );
});

test.each(["<form></form>", '<script type="module"></script>'])("a page with %s keeps all rules", (part) => {
  expect(removeUnusedStyles(STYLE + part)).toBe(STYLE + part);
});
