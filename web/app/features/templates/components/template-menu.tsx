import { Archive, Copy, EllipsisVertical, Link, PenLine, Users } from "lucide-react";
import { Button } from "~/ui/button";
import { Menu, MenuItem, MenuSeparator } from "~/ui/menu";
import { isBlank, type Template } from "../model";

type ActionName = "sendList" | "sign" | "copyLink" | "duplicate" | "archive";
export type MenuActions = Record<ActionName, (template: Template) => void>;

export function TemplateMenu({ template, actions }: { template: Template; actions: MenuActions }) {
  const disabled = isBlank(template);
  return (
    <Menu
      trigger={
        <Button
          variant="ghost"
          size="icon"
          className="-my-2.5 -me-2.5"
          aria-label={`More for ${template.name}`}
        >
          <EllipsisVertical aria-hidden />
        </Button>
      }
    >
      <MenuItem icon={Users} disabled={disabled} onSelect={() => actions.sendList(template)}>
        Send to a list
      </MenuItem>
      <MenuItem icon={PenLine} disabled={disabled} onSelect={() => actions.sign(template)}>
        Sign on this device
      </MenuItem>
      <MenuItem icon={Link} disabled={disabled} onSelect={() => actions.copyLink(template)}>
        Copy signing link
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={Copy} onSelect={() => actions.duplicate(template)}>
        Duplicate
      </MenuItem>
      {!template.isSample && (
        <MenuItem icon={Archive} onSelect={() => actions.archive(template)}>
          Archive
        </MenuItem>
      )}
    </Menu>
  );
}
