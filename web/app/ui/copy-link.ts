import { copyText } from "~/lib/clipboard";
import { toast } from "./toast-store";

/** Into the clipboard, or onto the screen where there is none. */
export async function copyLink(path: string): Promise<void> {
  const link = window.location.origin + path;
  if (await copyText(link)) toast({ title: "Link copied", description: link });
  else toast({ title: "Copy this link", description: link, duration: 60_000 });
}
