import type { LucideIcon } from "lucide-react";

/** An entry of the palette opens a page or performs an action. */
export type Command = { label: string; icon: LucideIcon; run: () => void };

/** Returns the shortcut as it is labelled on the user's keyboard. */
export function shortcutLabel(platform: string): string {
  return /mac|iphone|ipad/i.test(platform) ? "⌘K" : "Ctrl K";
}

export function opensPalette(event: KeyboardEvent): boolean {
  return (
    (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k"
  );
}

/** Returns the commands that match the input. Each typed term has to be the start of a word of the label. */
export function matchingCommands(commands: Command[], input: string): Command[] {
  const terms = input.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ label }) => {
    const parts = label.toLowerCase().split(/[\s/]+/);
    return terms.every((term) => parts.some((part) => part.startsWith(term)));
  });
}
