import type { Config } from "@react-router/dev/config";
import { PLAIN_PAGES } from "./app/content/public-pages";

export default {
  ssr: false,
  prerender: [...PLAIN_PAGES, "/signin", "/signup", "/forgot-password", "/verify", "/sent-waivers"],
} satisfies Config;
