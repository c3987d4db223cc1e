import { CircleAlert, CircleCheck, Inbox, Send, type LucideIcon } from "lucide-react";
import { useCallback } from "react";
import { useLocation, useNavigate } from "react-router";
import { paths } from "~/paths";
import { CenteredPage } from "~/ui/centered-page";
import { Mark } from "~/ui/logo";
import { LinkButton } from "~/ui/link-button";
import { useCountdown } from "./use-countdown";
import { classifyAddress, redirectTarget, type PageKind } from "./model";

/** Says that there is no page at this address, or shows the outcome of an email and then redirects. */
export function NotFoundPage() {
  const location = useLocation();
  const page = classifyAddress(location);
  return (
    <CenteredPage seed="off the trail">
      <div className="w-full max-w-md">
        {page.kind === "not-found" ? <NotFound /> : <EmailStatus page={page} pathname={location.pathname} />}
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

type EmailStatusProps = { page: Exclude<PageKind, { kind: "not-found" }>; pathname: string };

function EmailStatus({ page, pathname }: EmailStatusProps) {
  const navigate = useNavigate();
  const redirect = useCallback(() => {
    const target = redirectTarget(pathname);
    // The signing page is a separate document, which the router cannot render.
    if (target.startsWith("/waivers/")) window.location.assign(target);
    else void navigate(target, { replace: true });
  }, [navigate, pathname]);
  const seconds = useCountdown(5, redirect);
  const { icon: Icon, title, lines } = messageFor(page);
  const tone = page.kind === "failed" ? "text-red" : "text-forest";

  return (
    <>
      <div role="status">
        <Icon className={`mx-auto size-12 ${tone}`} strokeWidth={1.5} aria-hidden />
        <h1 className="mt-5 text-3xl font-semibold tracking-tight">{title}</h1>
        {lines.map((line) => (
          <p key={line} className="mt-2 wrap-break-word text-muted">
            {line}
          </p>
        ))}
      </div>
      <p className="mt-6 font-medium tabular-nums">Redirecting to sent waivers in {seconds} seconds...</p>
    </>
  );
}

function messageFor(page: EmailStatusProps["page"]): { icon: LucideIcon; title: string; lines: string[] } {
  switch (page.kind) {
    case "sent":
      return {
        icon: CircleCheck,
        title: "Email Sent",
        lines: ["Your email has been sent successfully!", "The waiver is being delivered to the recipient."],
      };
    case "sending":
      return {
        icon: Send,
        title: "Email On Its Way",
        lines: ["The mail server has not answered yet. Email History shows when it has been delivered."],
      };
    case "kept":
      return {
        icon: Inbox,
        title: "Email Kept",
        lines: ["Saved in Email History; not delivered to anyone."],
      };
    case "failed":
      return { icon: CircleAlert, title: "Email Not Sent", lines: [page.reason] };
  }
}
