import { defineConfig } from "vite";
import signingPage from "./vite.config.ts";

/** Builds the signing page of a waiver with a form. The server sends it instead of the smaller page for a text. */
export default defineConfig({
  ...signingPage,
  build: {
    ...signingPage.build,
    emptyOutDir: false,
    rolldownOptions: {
      ...signingPage.build?.rolldownOptions,
      input: `${import.meta.dirname}/form.html`,
    },
  },
});
