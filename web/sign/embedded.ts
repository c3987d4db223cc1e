const EMBEDDED = "/embed/";

/** Whether this is the address for iframes. The server decides which websites may embed it. */
export const isEmbedded = (): boolean => location.pathname.startsWith(EMBEDDED);

/** The path of the same waiver outside of an iframe. */
export const standalonePath = (): string =>
  location.pathname.replace(EMBEDDED, "/waivers/sign/").replace(/\/$/, "");
