import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { LinkButton } from "~/ui/link-button";
import { ResultCard } from "~/ui/result-card";
import { messageFor } from "./email-message";
import type { EmailPage } from "./model";
import { useRedirect } from "./use-redirect";

/** Shows the outcome of an email inside the app and then redirects, unless the user chooses to stay. */
export function EmailStatusCard({ page }: { page: EmailPage }) {
  const { secondsLeft, stop } = useRedirect();
  return (
    <ResultCard {...messageFor(page)} isFailure={page.kind === "failed"}>
      {secondsLeft === null ? (
        <LinkButton to={paths.templates}>Send a New Waiver</LinkButton>
      ) : (
        <>
          <p className="font-medium tabular-nums">Redirecting to sent waivers in {secondsLeft} seconds...</p>
          <Button variant="secondary" onClick={stop}>
            Stay here
          </Button>
        </>
      )}
    </ResultCard>
  );
}
