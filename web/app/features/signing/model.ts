export const FIELDS_REQUIRED = "Name, email and signature are required.";
export const CONSENT_REQUIRED = "Please tick the box to sign electronically.";
export const INCOMPLETE_EMAIL = "This email address is not complete.";

/** This text replaces the signer's name until it is typed, so that the sentence can already be read. */
const UNNAMED_SIGNER = "[YOUR NAME]";

/** The server uses the same text for a company without a name. */
export const UNNAMED_COMPANY = "the Company";

const PLACEHOLDER = /\[(PARTICIPANT|COMPANY) NAME\]/;

export type Names = { participant: string; company: string };
export type Piece = { text: string; isFilled: boolean };

/** Fills all placeholders at once, so that a guest named "[COMPANY NAME]" is not replaced by the company. */
export function fillInPieces(text: string, names: Names): Piece[] {
  const values: Record<string, string> = {
    PARTICIPANT: names.participant.trim() || UNNAMED_SIGNER,
    COMPANY: names.company.trim() || UNNAMED_COMPANY,
  };
  // Because the pattern has a group, `split` also returns the text of the group. It is at every odd position.
  return text
    .split(PLACEHOLDER)
    .map((part, index) =>
      index % 2 ? { text: values[part] ?? part, isFilled: true } : { text: part, isFilled: false },
    )
    .filter((piece) => piece.text !== "");
}

export function fillPlaceholders(content: string, names: Names): string {
  return fillInPieces(content, names)
    .map((piece) => piece.text)
    .join("");
}

export type RequiredField = "name" | "email" | "signature";

export function missingFields(signer: { name: string; email: string; hasSigned: boolean }): RequiredField[] {
  const fields: RequiredField[] = [];
  if (!signer.name.trim()) fields.push("name");
  if (!signer.email.trim()) fields.push("email");
  if (!signer.hasSigned) fields.push("signature");
  return fields;
}
