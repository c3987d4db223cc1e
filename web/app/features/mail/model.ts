const LINK = /https?:\/\/[^\s/]+\/waivers\/sign\/[\w/-]+/;
const PREVIEW = 300;

/** The address a guest would sign at, when the mail has one. */
export function signingLink(body: string): string | null {
  return LINK.exec(body)?.[0] ?? null;
}

export function preview(body: string): string {
  return body.length > PREVIEW ? `${body.slice(0, PREVIEW)}…` : body;
}
