import type { SignedWaiverRow } from "~/lib/database";

export function badgeText(unreadCount: number): string | null {
  if (unreadCount === 0) return null;
  return unreadCount > 9 ? "9+" : String(unreadCount);
}

export function signedMessage(waiver: Pick<SignedWaiverRow, "signer_name" | "template_name">) {
  return {
    title: "New Waiver Signed",
    description: `${waiver.signer_name} has signed a waiver: ${waiver.template_name}`,
  };
}
