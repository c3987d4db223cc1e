import { configFor } from "./vite.config.ts";

/** Builds the signing page of a waiver with a form. The server sends it instead of the smaller page for a text. */
export default configFor("form.html");
