import { defineConfig } from "vite";
import signingPage from "./vite.config.ts";

/** Builds the page of a link that was already signed. The server sends it instead of the signing page. */
export default defineConfig({
  ...signingPage,
  build: {
    ...signingPage.build,
    emptyOutDir: false,
    rolldownOptions: {
      ...signingPage.build?.rolldownOptions,
      input: `${import.meta.dirname}/signed.html`,
    },
  },
});
