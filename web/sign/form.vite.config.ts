import type { Plugin } from "vite";
import { configFor } from "./vite.config.ts";

/**
 * The part that invites adults is a file of its own (see invite.vite.config.ts), so that this page stays small. The import
 * is hidden from Vite, whose helper for such imports has 600 compressed bytes.
 */
function loadInvitationsLater(): Plugin {
  return {
    name: "load-invitations-later",
    enforce: "pre",
    transform: (code) => code.replace('import("./invite")', '__load("/invite.js")'),
    renderChunk: (code) => code.replace("__load(", "import("),
  };
}

/** Builds the signing page of a waiver with a form. The server sends it instead of the smaller page for a text. */
export default configFor("form.html", [loadInvitationsLater()]);
