import { defineConfig, type Plugin } from "vite";
import { contours } from "../app/lib/terrain.ts";

const here = import.meta.dirname;

/** One document, one request: a guest on a mountain waits for the network once. */
function oneDocument(): Plugin {
  return {
    name: "one-document",
    enforce: "post",
    transformIndexHtml: (html) => html.replace("__TERRAIN__", contours("sign", 800, 320, 6).join("")),
    generateBundle(_, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("The signing page has no index.html.");
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
        // Functions, because a `$` in the code must stay a `$`.
        .replace("</head>", () => `<style>${style.trim()}</style></head>`)
        .replace("</body>", () => `<script type="module">${closed(script.trim())}</script></body>`)
        .replace(/>\s+</g, "><");
    },
  };
}

/** Inside a script element only this could end it early. */
function closed(script: string): string {
  return script.replaceAll("</script", "<\\/script");
}

export default defineConfig({
  root: here,
  publicDir: false,
  plugins: [oneDocument()],
  resolve: {
    alias: [
      { find: /^react\/jsx-(dev-)?runtime$/, replacement: "preact/jsx-runtime" },
      { find: /^react(-dom\/client)?$/, replacement: `${here}/react.ts` },
    ],
  },
  build: {
    outDir: `${here}/../dist/sign`,
    emptyOutDir: true,
    target: ["chrome100", "safari15.4", "firefox100"],
    modulePreload: false,
    assetsInlineLimit: 0,
  },
});
