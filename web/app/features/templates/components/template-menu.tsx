import { Archive, Copy, EllipsisVertical, Link, PenLine, Users } from "lucide-react";
import { Button } from "~/ui/button";
import { Menu, MenuItem, MenuLine } from "~/ui/menu";
import { isBlank, type Template } from "../model";

type Act = (template: Template) => void;
export type MenuActions = { sendSeveral: Act; sign: Act; copyLink: Act; duplicate: Act; archive: Act };

export function TemplateMenu({ template, actions }: { template: Template; actions: MenuActions }) {
  const blank = isBlank(template);
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
      <MenuItem icon={Users} disabled={blank} onSelect={() => actions.sendSeveral(template)}>
        Send to several people
      </MenuItem>
      <MenuItem icon={PenLine} disabled={blank} onSelect={() => actions.sign(template)}>
        Sign on this device
      </MenuItem>
      <MenuItem icon={Link} disabled={blank} onSelect={() => actions.copyLink(template)}>
        Copy signing link
      </MenuItem>
      <MenuLine />
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
