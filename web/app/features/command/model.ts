import type { LucideIcon } from "lucide-react";

/** One thing the palette can do: go to a page, or carry something out. */
export type Command = { label: string; icon: LucideIcon; run: () => void };

/** How the key combination is written on the keyboard in front of the reader. */
export function shortcut(platform: string): string {
  return /mac|iphone|ipad/i.test(platform) ? "⌘K" : "Ctrl K";
}

export function opensPalette(event: KeyboardEvent): boolean {
  return (
    (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k"
  );
}
