import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";

/** Shows extra text on hover and focus. The child must be focusable. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={200}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            sideOffset={6}
            collisionPadding={12}
            className="z-60 animate-fade rounded-lg bg-foreground px-2.5 py-1.5 text-sm text-ground shadow-lift"
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
