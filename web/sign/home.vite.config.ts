import { defineConfig } from "vite";
import signingPage from "./vite.config.ts";

/** Builds the script that shows receipts on the front page. It is added to the built app, so the app is built first. */
export default defineConfig({
  ...signingPage,
  plugins: [],
  build: {
    ...signingPage.build,
    outDir: `${import.meta.dirname}/../build/client`,
    emptyOutDir: false,
    rolldownOptions: {
      ...signingPage.build?.rolldownOptions,
      input: `${import.meta.dirname}/home.tsx`,
      output: { entryFileNames: "receipts.js" },
    },
  },
});
