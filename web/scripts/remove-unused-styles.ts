import { transform } from "lightningcss";

/**
 * All plain pages contain the same inline style. Removes the rules for classes that this page does not use.
 * Pages with forms or scripts keep all rules, because their elements change.
 */
export function removeUnusedStyles(html: string): string {
  if (/<form|type="module"/.test(html)) return html;
  const used = new Set(
    [...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = ""]) => unescape(names).split(/\s+/)),
  );
  return html.replace(/(?<=<style[^>]*>).*?(?=<\/style>)/gs, (css) => removeUnusedRules(css, used));
}

function removeUnusedRules(css: string, used: ReadonlySet<string>): string {
  const result = transform({
    filename: "style.css",
    code: Buffer.from(css),
    minify: true,
    visitor: {
      Rule: {
        style({ value }) {
          const isUsed = value.selectors.some((parts) =>
            parts.every((part) => part.type !== "class" || used.has(part.name)),
          );
          return isUsed ? undefined : [];
        },
      },
    },
  });
  return Buffer.from(result.code).toString();
}

function unescape(attribute: string): string {
  return attribute
    .replaceAll("&gt;", ">")
    .replaceAll("&lt;", "<")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");
}
