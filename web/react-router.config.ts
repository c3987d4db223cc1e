import type { Config } from "@react-router/dev/config";

export default {
  ssr: false,
  prerender: ["/", "/signin", "/signup", "/forgot-password", "/verify", "/sent-waivers"],
} satisfies Config;
