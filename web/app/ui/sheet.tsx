import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "./button";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  trigger: ReactNode;
  children: ReactNode;
};

/** Shows a drawer at the side for the navigation on small screens. */
export function Sheet({ open, onOpenChange, title, trigger, children }: Props) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-black/45" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 start-0 z-50 flex w-72 max-w-[85vw] animate-slide flex-col border-e border-line bg-surface outline-none"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
          <Radix.Close asChild>
            <Button variant="ghost" size="icon" aria-label="Close menu" className="absolute end-2 top-2.5">
              <X aria-hidden />
            </Button>
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
