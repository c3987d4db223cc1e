import { copyText } from "~/lib/clipboard";
import { toast } from "./toast-store";

/** Copies the link, or shows it if the browser cannot copy. */
export async function copyLink(path: string): Promise<void> {
  const link = window.location.origin + path;
  if (await copyText(link)) toast({ title: "Link copied", description: link });
  else toast({ title: "Copy this link", description: link, duration: 60_000 });
}
