export const REQUIRED = "Name, email and signature are required.";
export const UNCONSENTED = "Please tick the box to sign electronically.";
export const INCOMPLETE_EMAIL = "This email address is not complete.";

/** Shown in place of the signer's name until it is typed, so that the sentence can already be read. */
const UNNAMED = "[YOUR NAME]";

/** The server uses the same text for a company without a name. */
export const UNNAMED_COMPANY = "the Company";

const PLACEHOLDER = /\[(PARTICIPANT|COMPANY) NAME\]/;

export type Names = { participant: string; company: string };
export type Piece = { text: string; filled: boolean };

/** Fills all placeholders in one pass, so that a guest named "[COMPANY NAME]" is not replaced by the company. */
export function fillInPieces(text: string, names: Names): Piece[] {
  const values: Record<string, string> = {
    PARTICIPANT: names.participant.trim() || UNNAMED,
    COMPANY: names.company.trim() || UNNAMED_COMPANY,
  };
  return text
    .split(PLACEHOLDER)
    .map((part, index) =>
      index % 2 ? { text: values[part] ?? part, filled: true } : { text: part, filled: false },
    )
    .filter((piece) => piece.text !== "");
}

export function fillPlaceholders(content: string, names: Names): string {
  return fillInPieces(content, names)
    .map((piece) => piece.text)
    .join("");
}

export type RequiredField = "name" | "email" | "signature";

export function missingFields(signer: { name: string; email: string; signed: boolean }): RequiredField[] {
  const fields: RequiredField[] = [];
  if (!signer.name.trim()) fields.push("name");
  if (!signer.email.trim()) fields.push("email");
  if (!signer.signed) fields.push("signature");
  return fields;
}
