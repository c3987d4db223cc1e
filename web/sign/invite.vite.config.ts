import { scriptFor } from "./vite.config.ts";

/** Builds the script that invites adults. The signing page of a waiver with a form loads it when it needs it. */
export default scriptFor("invite.tsx", "invite.js");
