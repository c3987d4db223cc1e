import type { SignedWaiverRow } from "~/lib/database";

export function badgeText(unread: number): string | null {
  if (unread === 0) return null;
  return unread > 9 ? "9+" : String(unread);
}

export function signedMessage(waiver: Pick<SignedWaiverRow, "signer_name" | "template_name">) {
  return {
    title: "New Waiver Signed",
    description: `${waiver.signer_name} has signed a waiver: ${waiver.template_name}`,
  };
}
