import { LogOut, Menu as MenuIcon, UserRound } from "lucide-react";
import { useState } from "react";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "~/ui/menu";
import { ReasonDialog } from "~/ui/reason-dialog";
import { Sheet } from "~/ui/sheet";
import { ThemeChoices } from "~/ui/theme-menu";
import { toast } from "~/ui/toast-store";
import { Tooltip } from "~/ui/tooltip";
import { Example } from "./example";

export function Overlays() {
  const [size, setSize] = useState<"md" | "lg" | null>(null);
  const [isReasonOpen, setReasonOpen] = useState(false);
  const [isSheetOpen, setSheetOpen] = useState(false);
  return (
    <Example name="Dialog, ReasonDialog, Sheet, Menu, ThemeChoices, Tooltip, toasts">
      <Button variant="secondary" onClick={() => setSize("md")}>
        Dialog
      </Button>
      <Button variant="secondary" onClick={() => setSize("lg")}>
        Large dialog
      </Button>
      <Dialog
        open={size !== null}
        size={size ?? "md"}
        onClose={() => setSize(null)}
        title="A dialog"
        description="What the dialog is for."
      >
        <p>The body scrolls, the actions stay.</p>
        <DialogActions>
          <Button onClick={() => setSize(null)}>Done</Button>
        </DialogActions>
      </Dialog>
      <Button variant="secondary" onClick={() => setReasonOpen(true)}>
        Reason dialog
      </Button>
      {isReasonOpen && (
        <ReasonDialog
          title="Cancel this waiver?"
          description="The link stops working. This cannot be undone."
          confirmLabel="Cancel waiver"
          keepLabel="Keep it"
          isBusy={false}
          problem={null}
          onConfirm={() => setReasonOpen(false)}
          onKeep={() => setReasonOpen(false)}
        />
      )}
      <Sheet
        open={isSheetOpen}
        onOpenChange={setSheetOpen}
        title="Navigation"
        trigger={
          <Button variant="secondary" size="icon" aria-label="Open the sheet">
            <MenuIcon aria-hidden />
          </Button>
        }
      >
        <p className="p-5 pt-14">What the sheet holds.</p>
      </Sheet>
      <Menu trigger={<Button variant="secondary">Menu</Button>}>
        <MenuLabel>My Account</MenuLabel>
        <MenuItem icon={UserRound}>Profile</MenuItem>
        <MenuSeparator />
        <ThemeChoices />
        <MenuSeparator />
        <MenuItem icon={LogOut}>Log out</MenuItem>
      </Menu>
      <Tooltip text="The exact time">
        <Button variant="secondary">Hover or focus me</Button>
      </Tooltip>
      <Button
        variant="secondary"
        onClick={() => toast({ title: "Profile updated", description: "All saved." })}
      >
        Toast
      </Button>
      <Button
        variant="secondary"
        onClick={() => toast({ title: "Update failed", description: "Nothing was lost.", destructive: true })}
      >
        Destructive toast
      </Button>
    </Example>
  );
}
