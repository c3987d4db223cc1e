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

/** Every word that was typed begins a word of the label. */
export function matching(commands: Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ label }) => {
    const parts = label.toLowerCase().split(/[\s/]+/);
    return words.every((word) => parts.some((part) => part.startsWith(word)));
  });
}
