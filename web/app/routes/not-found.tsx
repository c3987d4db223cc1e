import { useLocation } from "react-router";
import { EmailStatusCard } from "~/features/not-found/email-status-card";
import { messageFor } from "~/features/not-found/email-message";
import { classifyAddress } from "~/features/not-found/model";
import { NotFoundPage } from "~/features/not-found/not-found-page";
import { FrameForCompany } from "~/layouts/frame-for-company";
import { RecentlySent } from "~/widgets/recently-sent";
import type { Route } from "./+types/not-found";

export const meta = ({ location }: Pick<Route.MetaArgs, "location">) => {
  const page = classifyAddress(location);
  return [{ title: `${page.kind === "not-found" ? "Page not found" : messageFor(page).title} · Cairn` }];
};

export default function NotFound() {
  const page = classifyAddress(useLocation());
  if (page.kind === "not-found") return <NotFoundPage />;
  return (
    <FrameForCompany plain={<NotFoundPage />}>
      <EmailStatusCard page={page} />
      <RecentlySent />
    </FrameForCompany>
  );
}
