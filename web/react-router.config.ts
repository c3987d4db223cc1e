import type { Config } from "@react-router/dev/config";
import { BLOG_FILES, DRAWINGS, PLAIN_PAGES } from "./app/content/public-pages";

export default {
  ssr: false,
  prerender: [
    ...PLAIN_PAGES,
    ...BLOG_FILES,
    ...DRAWINGS.map((seed) => `/art/${seed}.svg`),
    "/signin",
    "/signup",
    "/forgot-password",
    "/verify",
    "/checkout",
    "/sent-waivers",
  ],
} satisfies Config;
