import { Failure } from "~/ui/failure";
import { Tabs } from "~/ui/tabs";
import { useConfiguration } from "../api/configuration";
import { ConfigurationForm } from "./configuration-form";
import { ConfigurationSkeleton } from "./configuration-skeleton";
import { EmailHistory } from "./email-history";
import { FailingNotice } from "./failing-notice";

/** The dialog of the templates page and the settings page show the same tabs. */
export default function EmailSettings() {
  return (
    <Tabs
      tabs={[
        { name: "Settings", content: <Settings /> },
        { name: "Email History", content: <EmailHistory /> },
      ]}
    />
  );
}

function Settings() {
  const { data: savedConfiguration, isError, refetch } = useConfiguration();
  if (isError && !savedConfiguration) {
    return (
      <Failure title="Your email settings could not be loaded" onRetry={() => void refetch()}>
        The server did not answer. Emails are still sent as before.
      </Failure>
    );
  }
  if (!savedConfiguration) return <ConfigurationSkeleton />;
  return (
    <div className="flex flex-col gap-5">
      <FailingNotice savedConfiguration={savedConfiguration} />
      <ConfigurationForm savedConfiguration={savedConfiguration} />
    </div>
  );
}
