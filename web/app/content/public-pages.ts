/** The pages that are written out whole at build time and come without any script. */
export const PLAIN_PAGES = ["/"];
