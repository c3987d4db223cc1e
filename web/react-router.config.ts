import type { Config } from "@react-router/dev/config";
import { BLOG_FILES, MAP_SEEDS, PLAIN_PAGES } from "./app/content/public-pages";

export default {
  ssr: false,
  prerender: [
    ...PLAIN_PAGES,
    ...BLOG_FILES,
    "/starting-templates.json",
    ...MAP_SEEDS.map((seed) => `/art/${seed}.svg`),
    "/signin",
    "/signup",
    "/forgot-password",
    "/verify",
    "/checkout",
    "/sent-waivers",
  ],
} satisfies Config;
