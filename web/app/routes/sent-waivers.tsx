import { CircleAlert, CircleCheck, Inbox, Send, type LucideIcon } from "lucide-react";
import { NOT_DELIVERED, parseOutcome, type Outcome } from "~/features/sending/model";
import { FrameForCompany } from "~/layouts/frame-for-company";
import { readLastSend } from "~/lib/browser-cache";
import { paths } from "~/paths";
import { CenteredPage } from "~/ui/centered-page";
import { LinkButton } from "~/ui/link-button";
import { ResultCard } from "~/ui/result-card";
import { RecentlySent } from "~/widgets/recently-sent";

export const meta = () => [{ title: "Sent waivers · Cairn" }];

export default function SentWaiversPage() {
  return (
    <FrameForCompany plain={<PlainPage />}>
      <FramedPage />
    </FrameForCompany>
  );
}

/** Only the browser tab that sent the waiver has stored the outcome. In another tab, the waiver counts as sent. */
const lastOutcome = (): Outcome => parseOutcome(readLastSend()) ?? { result: "sent" };

function FramedPage() {
  const outcome = lastOutcome();
  const { text, ...message } = messageFor(outcome);
  return (
    <>
      <ResultCard {...message} lines={[text]} isFailure={outcome.result === "failed"}>
        <NextSteps />
      </ResultCard>
      <RecentlySent />
    </>
  );
}

function PlainPage() {
  const outcome = lastOutcome();
  const { icon: Icon, title, text } = messageFor(outcome);
  const tone = outcome.result === "failed" ? "text-red" : "text-forest";
  return (
    <CenteredPage seed="sent">
      <div className="max-w-md">
        <Icon className={`mx-auto size-12 ${tone}`} strokeWidth={1.5} aria-hidden />
        <h1 className="mt-5 text-3xl font-semibold tracking-tight">{title}</h1>
        <p className="mt-2 wrap-break-word text-muted">{text}</p>
        <div className="mt-8 flex flex-wrap justify-center gap-3">
          <NextSteps />
        </div>
      </div>
    </CenteredPage>
  );
}

function NextSteps() {
  return (
    <>
      <LinkButton to={paths.templates}>Send a New Waiver</LinkButton>
      <LinkButton to={paths.templates} variant="secondary">
        Return to Waivers
      </LinkButton>
    </>
  );
}

function messageFor(outcome: Outcome): { icon: LucideIcon; title: string; text: string } {
  switch (outcome.result) {
    case "sent":
      return {
        icon: CircleCheck,
        title: "Waivers Sent Successfully",
        text: "Your guests can sign from any device.",
      };
    case "sending":
      return {
        icon: Send,
        title: "Waiver On Its Way",
        text: "Email History shows when it has been delivered.",
      };
    case "kept":
      return {
        icon: Inbox,
        title: "Waiver Ready, Not Mailed",
        text: `${NOT_DELIVERED} Its link can be opened there.`,
      };
    case "failed":
      return { icon: CircleAlert, title: "The waiver was not sent", text: outcome.reason };
  }
}
