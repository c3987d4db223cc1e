import { Command as Cmdk } from "cmdk";
import { FolderSearch, type LucideIcon } from "lucide-react";
import { Dialog } from "radix-ui";
import { useDeferredValue, useState, type ReactNode } from "react";
import { Status } from "~/ui/status";
import { useWaiverSearch } from "../api/search-waivers";
import { matchingCommands, type Command } from "../model";

type Props = {
  pages: Command[];
  actions: Command[];
  onSelectWaiver: (sessionId: string) => void;
  onShowAll: (term: string) => void;
  onClose: () => void;
};

const MAX_TERM_LENGTH = 200;

export default function CommandPalette({ pages, actions, onSelectWaiver, onShowAll, onClose }: Props) {
  const [input, setInput] = useState("");
  const term = useDeferredValue(input.trim());
  const { data: waivers = [], isError } = useWaiverSearch(term);
  const afterClosing = (run: () => void) => () => {
    onClose();
    run();
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-black/45" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-x-3 top-[12dvh] z-50 mx-auto max-w-xl animate-fade overflow-hidden rounded-2xl border border-line bg-surface shadow-lift outline-none"
        >
          <Dialog.Title className="sr-only">Find a guest or a page</Dialog.Title>
          <Cmdk label="Find a guest or a page" loop shouldFilter={false}>
            <Cmdk.Input
              value={input}
              onValueChange={setInput}
              maxLength={MAX_TERM_LENGTH}
              placeholder="Type a name, an email, or where to go…"
              className="h-14 w-full border-b border-line bg-transparent px-5 text-base outline-none placeholder:text-muted"
            />
            <Cmdk.List className="max-h-[55dvh] overflow-y-auto overscroll-contain p-2">
              <Cmdk.Empty className="px-3 py-8 text-center text-muted">
                {isError ? "Guests could not be looked up." : "No results."}
              </Cmdk.Empty>
              {/* After the term has become too short for a search, `waivers` still contains the previous results. */}
              {term.length > 1 && waivers.length > 0 && (
                <Group heading="Waivers">
                  {waivers.map(({ id, session_id, name, email, template_name, status }) => (
                    <Item key={id} value={id} onSelect={afterClosing(() => onSelectWaiver(session_id))}>
                      <span className="min-w-0 grow">
                        <span dir="auto" className="block truncate font-medium">
                          {name}
                        </span>
                        <span className="flex flex-wrap gap-x-3 text-sm text-muted">
                          {email && <span className="truncate">{email}</span>}
                          <span className="truncate">{template_name}</span>
                        </span>
                      </span>
                      <Status kind={status} />
                    </Item>
                  ))}
                  <Item icon={FolderSearch} value="all" onSelect={afterClosing(() => onShowAll(term))}>
                    All waivers with “{term}”
                  </Item>
                </Group>
              )}
              <Commands
                heading="Pages"
                commands={matchingCommands(pages, input)}
                afterClosing={afterClosing}
              />
              <Commands
                heading="Actions"
                commands={matchingCommands(actions, input)}
                afterClosing={afterClosing}
              />
            </Cmdk.List>
          </Cmdk>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type CommandsProps = { heading: string; commands: Command[]; afterClosing: (run: () => void) => () => void };

function Commands({ heading, commands, afterClosing }: CommandsProps) {
  if (commands.length === 0) return null;
  return (
    <Group heading={heading}>
      {commands.map(({ label, icon, run }) => (
        <Item key={label} icon={icon} value={label} onSelect={afterClosing(run)}>
          {label}
        </Item>
      ))}
    </Group>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Cmdk.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Cmdk.Group>
  );
}

type ItemProps = {
  icon?: LucideIcon;
  value: string;
  onSelect: () => void;
  children: ReactNode;
};

function Item({ icon: Icon, children, ...rest }: ItemProps) {
  return (
    <Cmdk.Item
      {...rest}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-lg px-3 py-1.5 data-[selected=true]:bg-sunken"
    >
      {Icon && <Icon className="size-4.5 shrink-0 text-muted" aria-hidden />}
      {children}
    </Cmdk.Item>
  );
}
