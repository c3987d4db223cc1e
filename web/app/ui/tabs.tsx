import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";

type Tab = { name: string; content: ReactNode };

export function Tabs({ tabs }: { tabs: [Tab, ...Tab[]] }) {
  return (
    <Radix.Root defaultValue={tabs[0].name}>
      <Radix.List className="mb-5 flex gap-1 rounded-control bg-sunken p-1">
        {tabs.map(({ name }) => (
          <Radix.Trigger
            key={name}
            value={name}
            className="h-10 grow rounded-lg px-3 text-sm font-medium text-ink-soft transition-colors hover:text-ink data-[state=active]:bg-surface data-[state=active]:text-ink data-[state=active]:shadow-xs"
          >
            {name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ name, content }) => (
        <Radix.Content key={name} value={name}>
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
