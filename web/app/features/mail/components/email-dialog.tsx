import { Dialog } from "~/ui/dialog";
import { Tabs } from "~/ui/tabs";
import { EmailHistory } from "./email-history";

export default function EmailDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Email Service Configuration" size="lg">
      <Tabs
        tabs={[
          { name: "Settings", content: <Settings /> },
          { name: "Email History", content: <EmailHistory /> },
        ]}
      />
    </Dialog>
  );
}

function Settings() {
  return (
    <div className="rounded-control border border-line p-5">
      <h3 className="font-semibold">Application service</h3>
      <p className="mt-1 max-w-prose text-ink-soft">
        Your waivers are mailed through the mail server that runs with this application. There is nothing to
        set up here. When no mail server is connected, mails are kept in Email History, where their links can
        be opened.
      </p>
    </div>
  );
}
