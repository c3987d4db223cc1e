import type { Config } from "@react-router/dev/config";

export default {
  ssr: false,
  prerender: ["/", "/signin", "/signup", "/sent-waivers"],
} satisfies Config;
