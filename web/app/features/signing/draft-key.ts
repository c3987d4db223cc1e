/** Returns the name under which the signing page at `url`, a path with its query, stores its draft in the tab. */
export const draftKey = (url: string): string => `cairn-signing:${url}`;
