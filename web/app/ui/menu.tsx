import { Check, type LucideIcon } from "lucide-react";
import { DropdownMenu as Radix } from "radix-ui";
import type { ComponentProps, ElementType, ReactNode } from "react";

const itemStyles =
  "flex min-h-11 items-center gap-2.5 rounded-lg px-2.5 text-sm outline-none select-none data-highlighted:bg-sunken md:min-h-9 [&_svg]:size-4 [&_svg]:text-muted";

type Props = { trigger: ReactNode; children: ReactNode; defaultOpen?: boolean };

export function Menu({ trigger, children, defaultOpen = false }: Props) {
  return (
    <Radix.Root modal={false} defaultOpen={defaultOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={8}
          collisionPadding={12}
          className="z-50 min-w-56 animate-fade rounded-card border border-line bg-surface p-1.5 shadow-lift"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type WithIcon<Item extends ElementType> = ComponentProps<Item> & { icon: LucideIcon };

export function MenuItem({ icon: Icon, children, ...rest }: WithIcon<typeof Radix.Item>) {
  return (
    <Radix.Item className={itemStyles} {...rest}>
      <Icon aria-hidden />
      {children}
    </Radix.Item>
  );
}

/** Renders a menu item that contains a link. */
export function MenuLink(props: ComponentProps<typeof Radix.Item>) {
  return <Radix.Item asChild className={itemStyles} {...props} />;
}

export const MenuChoices = Radix.RadioGroup;

export function MenuChoice({ icon: Icon, children, ...rest }: WithIcon<typeof Radix.RadioItem>) {
  return (
    <Radix.RadioItem className={itemStyles} {...rest}>
      <Icon aria-hidden />
      {children}
      <Radix.ItemIndicator className="ms-auto">
        <Check aria-hidden />
      </Radix.ItemIndicator>
    </Radix.RadioItem>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="my-1.5 h-px bg-line" />;
}
