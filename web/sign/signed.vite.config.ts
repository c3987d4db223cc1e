import { configFor } from "./vite.config.ts";

/** Builds the page of a session that was already signed. The server sends it instead of the signing page. */
export default configFor("signed.html");
