import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

const serverOrigin = process.env.CAIRN_ORIGIN ?? "http://127.0.0.1:8000";

/** Nearly every page uses these small modules. They compress better in one chunk than separately. */
const BASE_MODULES =
  /\/app\/(paths|lib\/(anon-key|api|auth|error-message|request-failed|session|browser-cache|when-idle|blocked|head|plain|theme|connection|use-browser-value|use-connection-state)|ui\/(badge|button|field|form|input|logo|loading-screen|needs-script|offline-notice|terrain|toasts|toast-store)|features\/account\/(model|components\/email-input))\.|lucide-react\/dist\/esm\/(createLucideIcon|Icon|defaultAttributes|shared|icons\/wifi-off)|class-variance-authority|clsx/;
/** Nearly every page behind the sign-in uses these modules. */
const SIGNED_IN_MODULES =
  /\/app\/(lib\/(throttle|dates|query-client|request)|ui\/(avatar|card|link-button|offline-copy-label|empty-state|failure|notice|page-header|skeleton|status))\.|@tanstack\/(react-query|query-core)\/|lucide-react\/dist\/esm\/icons\/(chevron-down|credit-card|file-pen-line|key-round|log-out|menu|plus)\./;

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  resolve: { tsconfigPaths: true },
  // Only `npm run dev` uses CAIRN_ANON_KEY. A built page contains a placeholder that the server replaces.
  envPrefix: ["VITE_", "CAIRN_ANON_KEY"],
  // The content security policy allows no captions as data URLs.
  build: { assetsInlineLimit: (file) => (file.endsWith(".vtt") ? false : undefined) },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // Modules that most pages need are in three chunks, which compress better and stay cached across
            // releases.
            codeSplitting: {
              groups: [
                { name: "framework", test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
                { name: "base", test: BASE_MODULES },
                { name: "signed-in", test: SIGNED_IN_MODULES },
              ],
            },
          },
        },
      },
    },
  },
  server: {
    proxy: {
      "/auth/v1": serverOrigin,
      "/rest/v1": serverOrigin,
      "/functions/v1": serverOrigin,
      "/storage/v1": serverOrigin,
      "/waivers": serverOrigin,
      "/realtime/v1": { target: serverOrigin, ws: true },
    },
  },
});
