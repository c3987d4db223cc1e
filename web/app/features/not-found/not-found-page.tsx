import { CircleAlert, CircleCheck, Inbox, Send, type LucideIcon } from "lucide-react";
import { useCallback } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { ContourLines } from "~/ui/contour-lines";
import { Mark } from "~/ui/logo";
import { useCountdown } from "./countdown";
import { destination, finding, type Finding } from "./model";

export function NotFoundPage() {
  const location = useLocation();
  const found = finding(location);
  return (
    <main className="relative isolate grid min-h-dvh place-items-center overflow-hidden px-5 py-16 text-center">
      <ContourLines
        seed="off the trail"
        className="absolute inset-0 -z-10 size-full text-forest opacity-25 [mask-image:radial-gradient(circle_at_center,transparent_20%,black_80%)]"
      />
      <div className="w-full max-w-md">
        {found.kind === "not-found" ? <Lost /> : <Mailed found={found} pathname={location.pathname} />}
        <div className="mt-8 flex flex-wrap justify-center gap-3">
          <Button asChild variant="secondary">
            <Link to={paths.home}>Return to Home</Link>
          </Button>
          <Button asChild variant="secondary">
            <Link to={paths.dashboard}>Go to Dashboard</Link>
          </Button>
        </div>
      </div>
    </main>
  );
}

function Lost() {
  return (
    <>
      <Mark className="mx-auto size-14 text-forest" />
      <h1 className="mt-5 font-display text-7xl font-bold tracking-tight">404</h1>
      <p className="mt-3 text-xl font-medium">Oops! Page not found</p>
      <p className="mt-2 text-muted">If you have just sent an email, it may still be processing.</p>
    </>
  );
}

type MailedProps = { found: Exclude<Finding, { kind: "not-found" }>; pathname: string };

function Mailed({ found, pathname }: MailedProps) {
  const navigate = useNavigate();
  const go = useCallback(() => {
    const target = destination(pathname);
    // The signing page is a document of its own, which this app cannot draw.
    if (target.startsWith("/waivers/")) window.location.assign(target);
    else void navigate(target, { replace: true });
  }, [navigate, pathname]);
  const seconds = useCountdown(5, go);
  const { icon: Icon, title, lines } = words(found);
  const tone = found.kind === "failed" ? "text-red" : "text-forest";

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

function words(found: MailedProps["found"]): { icon: LucideIcon; title: string; lines: string[] } {
  switch (found.kind) {
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
        lines: ["The mail was kept in Email History and went to nobody."],
      };
    case "failed":
      return { icon: CircleAlert, title: "Email Not Sent", lines: [found.reason] };
  }
}
