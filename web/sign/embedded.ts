const EMBEDDED = "/embed/";

/** At the address that websites show in a frame; the server decides which of them may. */
export const isEmbedded = (): boolean => location.pathname.startsWith(EMBEDDED);

/** The same waiver at the address for a window of its own. */
export const ownPath = (): string => location.pathname.replace(EMBEDDED, "/waivers/sign/").replace(/\/$/, "");
