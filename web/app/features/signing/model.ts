export const REQUIRED = "Name, email and signature are required.";
export const UNCONSENTED = "Please tick the box to sign electronically.";
export const INCOMPLETE_EMAIL = "This email address is not complete.";

/** Stands where the signer's name will be, so that the sentence can be read before it is known. */
const UNNAMED = "[YOUR NAME]";

/** What the server writes too when a company has not named itself. */
export const UNNAMED_COMPANY = "the Company";

const BLANK = /\[(PARTICIPANT|COMPANY) NAME\]/;

export type Names = { participant: string; company: string };
export type Piece = { text: string; filled: boolean };

/** One pass, so that a guest called "[COMPANY NAME]" stays a guest and is not filled in a second time. */
export function pieces(text: string, names: Names): Piece[] {
  const filling: Record<string, string> = {
    PARTICIPANT: names.participant.trim() || UNNAMED,
    COMPANY: names.company.trim() || UNNAMED_COMPANY,
  };
  return text
    .split(BLANK)
    .map((part, index) =>
      index % 2 ? { text: filling[part] ?? part, filled: true } : { text: part, filled: false },
    )
    .filter((piece) => piece.text !== "");
}

export function fill(content: string, names: Names): string {
  return pieces(content, names)
    .map((piece) => piece.text)
    .join("");
}

export type Needed = "name" | "email" | "signature";

export function missing(signer: { name: string; email: string; signed: boolean }): Needed[] {
  const needed: Needed[] = [];
  if (!signer.name.trim()) needed.push("name");
  if (!signer.email.trim()) needed.push("email");
  if (!signer.signed) needed.push("signature");
  return needed;
}

/** The server's own rule and no stricter: an address is judged by the mail that arrives. */
export function isCompleteEmail(email: string): boolean {
  return /^[^@\s]+@[^@\s]+$/.test(email.trim());
}
