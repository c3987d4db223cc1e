import { scriptFor } from "./vite.config.ts";

/** Builds the script that shows receipts on the front page. */
export default scriptFor("home.tsx", "receipts.js");
