import { defineConfig, type Plugin } from "vite";
import { contours } from "../app/lib/terrain.ts";

const folder = import.meta.dirname;

/** Inlines scripts and styles into the document, so that a guest with a weak signal needs a single request. */
function inlineEverything(): Plugin {
  return {
    name: "inline-everything",
    enforce: "post",
    transformIndexHtml: (html) => html.replace("__TERRAIN__", contours("sign", 800, 320, 6).join("")),
    generateBundle(_, bundle) {
      const page = Object.values(bundle).find(({ fileName }) => fileName.endsWith(".html"));
      if (page?.type !== "asset") throw new Error("The page has no HTML file.");
      let script = "";
      let style = "";
      for (const [name, file] of Object.entries(bundle)) {
        if (file === page) continue;
        if (file.type === "chunk") script += file.code;
        else style += file.source;
        delete bundle[name];
      }
      page.source = String(page.source)
        .replace(/\s*<script type="module"[^>]*src=[^>]*><\/script>/, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
        // The replacements are functions, because a `$` in a replacement string would have a special meaning.
        .replace("</head>", () => `<style>${style.trim()}</style></head>`)
        .replace("</body>", () => `<script type="module">${escapeScript(script.trim())}</script></body>`)
        .replace(/>\s+</g, "><");
    },
  };
}

/** Removes the SVG export of signature_pad, its last method, because the page stores signatures only as PNG. */
function withoutSvgExport(): Plugin {
  return {
    name: "without-svg-export",
    transform(code, id) {
      if (!id.includes("signature_pad")) return undefined;
      const shortened = code.replace(/\n {2}toSVG\(.*?\n {2}\}(?=\n\};)/s, "");
      if (shortened === code) throw new Error("The method toSVG of signature_pad was not found.");
      return { code: shortened, map: null };
    },
  };
}

/** Escapes the only text that could end the script element early. */
function escapeScript(script: string): string {
  return script.replaceAll("</script", "<\\/script");
}

export default defineConfig({
  root: folder,
  publicDir: false,
  plugins: [withoutSvgExport(), inlineEverything()],
  resolve: {
    alias: [
      { find: /^react\/jsx-(dev-)?runtime$/, replacement: "preact/jsx-runtime" },
      { find: /^react(-dom\/client)?$/, replacement: `${folder}/react.ts` },
    ],
  },
  build: {
    outDir: `${folder}/../dist/sign`,
    emptyOutDir: true,
    target: ["chrome100", "safari15.4", "firefox100"],
    modulePreload: false,
    assetsInlineLimit: 0,
    // Class fields become plain assignments, which saves a helper function of 400 compressed bytes.
    rolldownOptions: { transform: { assumptions: { setPublicClassFields: true } } },
  },
});
