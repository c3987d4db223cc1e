import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";

type Tab = { name: string; content: ReactNode };

export function Tabs({ tabs }: { tabs: Tab[] }) {
  return (
    <Radix.Root defaultValue="0">
      <Radix.List className="mb-5 flex gap-1 rounded-control bg-sunken p-1">
        {tabs.map(({ name }, index) => (
          <Radix.Trigger
            key={name}
            value={String(index)}
            className="h-11 grow rounded-lg px-3 text-sm md:h-10 font-medium text-muted transition-colors hover:text-foreground data-[state=active]:bg-surface data-[state=active]:text-foreground data-[state=active]:shadow-xs"
          >
            {name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ name, content }, index) => (
        <Radix.Content key={name} value={String(index)}>
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
