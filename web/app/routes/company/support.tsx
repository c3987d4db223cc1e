import { useState } from "react";
import { Link } from "react-router";
import type { Receipt } from "~/features/help/api/send-support-message";
import { ReadingPage, Section } from "~/features/help/components/page";
import { SupportForm } from "~/features/help/components/support-form";
import { SupportSent } from "~/features/help/components/support-sent";
import { useCompanyAccount } from "~/layouts/company-layout";
import { paths } from "~/paths";

export const meta = () => [{ title: "Contact Support · Cairn" }];

export default function Support() {
  const { name, email, company } = useCompanyAccount();
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const from = [`${name} (${email})`, company?.name].filter(Boolean).join(", ");
  return (
    <ReadingPage title="Contact Support" intro="A person reads what you write and replies by email.">
      <Section id="write" title="Write to us">
        {receipt ? (
          <SupportSent receipt={receipt} onWriteAnother={() => setReceipt(null)} />
        ) : (
          <SupportForm from={from} onSent={setReceipt} />
        )}
      </Section>
      <Section id="quick-help" title="Often faster">
        <ul>
          <li>
            A guest got no email: open <Link to={paths.directory}>Waiver Management</Link>, then Email
            Settings. Email History shows the reason.
          </li>
          <li>
            A link no longer works: the waiver has expired. Send it again from{" "}
            <Link to={paths.templates}>Add/Edit Waivers</Link>.
          </li>
          <li>
            For all other questions, look into the <Link to={paths.documentation}>documentation</Link>.
          </li>
        </ul>
      </Section>
    </ReadingPage>
  );
}
