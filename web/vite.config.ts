import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

const target = process.env.CAIRN_ORIGIN ?? "http://127.0.0.1:8000";

/** Small modules that nearly every page uses. They compress better in one chunk than one by one. */
const BASE =
  /\/app\/(paths|lib\/(anon-key|api|auth|error-message|request-failed|session|browser-cache|when-idle|blocked|head|plain|theme|reach|use-reach)|ui\/(badge|button|field|form|input|logo|loading-screen|needs-script|offline-notice|terrain|toasts|toast-store)|features\/account\/(model|components\/email-input))\.|lucide-react\/dist\/esm\/(createLucideIcon|Icon|defaultAttributes|shared|icons\/wifi-off)|class-variance-authority|clsx/;
/** The same for the pages behind the sign-in. */
const SIGNED_IN =
  /\/app\/(lib\/(throttle|dates|query-client)|ui\/(avatar|card|link-button|offline-copy-label|empty-state|failure|notice|page-header|skeleton|status))\./;

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  resolve: { tsconfigPaths: true },
  // Used only by `npm run dev`; a built page contains a placeholder that the server replaces.
  envPrefix: ["VITE_", "CAIRN_ANON_KEY"],
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // One chunk for what every page needs: it compresses better and stays cached across releases.
            codeSplitting: {
              groups: [
                { name: "framework", test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
                { name: "base", test: BASE },
                { name: "signed-in", test: SIGNED_IN },
              ],
            },
          },
        },
      },
    },
  },
  server: {
    proxy: {
      "/auth/v1": target,
      "/rest/v1": target,
      "/functions/v1": target,
      "/storage/v1": target,
      "/waivers": target,
      "/realtime/v1": { target, ws: true },
    },
  },
});
