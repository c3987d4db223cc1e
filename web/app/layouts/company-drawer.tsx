import { useState, type ComponentProps } from "react";
import { Logo } from "~/ui/logo";
import { Sheet } from "~/ui/sheet";
import { CompanyNavigation } from "./company-navigation";

/** Shows the navigation on small screens. */
export default function CompanyDrawer({ trigger }: { trigger: ComponentProps<typeof Sheet>["trigger"] }) {
  const [open, setOpen] = useState(true);
  return (
    <Sheet open={open} onOpenChange={setOpen} title="Menu" trigger={trigger}>
      <div className="flex h-16 items-center px-6">
        <Logo />
      </div>
      <div className="overflow-y-auto px-3 pb-4">
        <CompanyNavigation onNavigate={() => setOpen(false)} />
      </div>
    </Sheet>
  );
}
