import { useLocation } from "react-router";
import { paths } from "~/paths";
import { CenteredPage } from "~/ui/centered-page";
import { Mark } from "~/ui/logo";
import { LinkButton } from "~/ui/link-button";
import { MutedLines } from "~/ui/muted-lines";
import { messageFor } from "./email-message";
import { classifyAddress, type EmailPage } from "./model";
import { useRedirect } from "./use-redirect";

/** Says that there is no page at this address, or shows the outcome of an email and then redirects. */
export function NotFoundPage() {
  const page = classifyAddress(useLocation());
  return (
    <CenteredPage seed="off the trail">
      <div className="w-full max-w-md">
        {page.kind === "not-found" ? <NotFound /> : <EmailStatus page={page} />}
        <div className="mt-8 flex flex-wrap justify-center gap-3">
          <LinkButton to={paths.home} variant="secondary">
            Return to Home
          </LinkButton>
          <LinkButton to={paths.dashboard} variant="secondary">
            Go to Dashboard
          </LinkButton>
        </div>
      </div>
    </CenteredPage>
  );
}

function NotFound() {
  return (
    <>
      <Mark className="mx-auto size-14 text-forest" />
      <h1 className="mt-5 font-display text-7xl font-bold tracking-tight">404</h1>
      <p className="mt-3 text-xl font-medium">Oops! Page not found</p>
      <p className="mt-2 text-muted">If you have just sent an email, it may still be processing.</p>
    </>
  );
}

function EmailStatus({ page }: { page: EmailPage }) {
  const { secondsLeft } = useRedirect();
  const { icon: Icon, title, lines } = messageFor(page);
  const tone = page.kind === "failed" ? "text-red" : "text-forest";

  return (
    <>
      <div role="status">
        <Icon className={`mx-auto size-12 ${tone}`} strokeWidth={1.5} aria-hidden />
        <h1 className="mt-5 text-3xl font-semibold tracking-tight">{title}</h1>
        <MutedLines lines={lines} />
      </div>
      <p className="mt-6 font-medium tabular-nums">Redirecting to sent waivers in {secondsLeft} seconds...</p>
    </>
  );
}
