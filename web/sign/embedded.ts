const EMBED_PREFIX = "/embed/";

/** Tells whether the page was opened at the path for iframes. The server decides which websites may embed it. */
export const isEmbedded = (): boolean => location.pathname.startsWith(EMBED_PREFIX);

/** Returns the path of the same waiver outside of an iframe. */
export const standalonePath = (): string =>
  location.pathname.replace(EMBED_PREFIX, "/waivers/sign/").replace(/\/$/, "");
