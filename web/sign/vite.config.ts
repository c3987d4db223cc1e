import { readFileSync } from "node:fs";
import { defineConfig, type Plugin, type UserConfig } from "vite";
import { contours } from "../app/lib/terrain.ts";

const folder = import.meta.dirname;

/** Inserts the title and the script of a page into shell.html, which all pages share. */
function withShell(): Plugin {
  const shell = readFileSync(`${folder}/shell.html`, "utf8");
  return {
    name: "with-shell",
    transformIndexHtml: {
      order: "pre",
      handler(page) {
        const [title = ""] = /<title>.*<\/title>/.exec(page) ?? [];
        return shell.replace("<!-- title -->", title).replace("<!-- page -->", page.replace(title, ""));
      },
    },
  };
}

/** Inlines scripts and styles into the page, so that a guest with a weak signal needs a single request. */
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

const signingPage: UserConfig = {
  root: folder,
  publicDir: false,
  plugins: [withShell(), withoutSvgExport(), inlineEverything()],
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
};

export default defineConfig(signingPage);

/** Builds a script that other pages load. It is added to the built app, so the app is built first. */
export const scriptFor = (source: string, name: string) =>
  defineConfig({
    ...signingPage,
    plugins: [],
    build: {
      ...signingPage.build,
      outDir: `${folder}/../build/client`,
      emptyOutDir: false,
      rolldownOptions: {
        ...signingPage.build?.rolldownOptions,
        input: `${folder}/${source}`,
        preserveEntrySignatures: "strict",
        output: { entryFileNames: name },
      },
    },
  });

/** Builds another page of a single file, beside the signing page. */
export const configFor = (page: string, plugins: Plugin[] = []) =>
  defineConfig({
    ...signingPage,
    plugins: [...plugins, signingPage.plugins],
    build: {
      ...signingPage.build,
      emptyOutDir: false,
      rolldownOptions: { ...signingPage.build?.rolldownOptions, input: `${folder}/${page}` },
    },
  });
