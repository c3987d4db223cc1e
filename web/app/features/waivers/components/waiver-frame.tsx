import { ArrowLeft } from "lucide-react";
import type { MouseEvent, ReactNode } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { paths } from "~/paths";
import { Status, type StatusKind } from "~/ui/status";
import { listSearchOf } from "../model";

type Props = {
  /** The name of the guest. */
  title: string;
  template?: string;
  status?: StatusKind;
  actions?: ReactNode;
  children: ReactNode;
};

/** Lays out a waiver's page: a link back, whose waiver it is, the actions, and `children` below. */
export function WaiverFrame({ title, template, status, actions, children }: Props) {
  return (
    <div className="flex flex-col gap-5">
      {/* The route has no title of its own, because only the loaded waiver knows it. */}
      <title>{[title, template, "Cairn"].filter(Boolean).join(" · ")}</title>
      <BackLink />
      <header className="-mt-3 flex flex-col gap-4">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <h1
              dir="auto"
              className="min-w-0 text-2xl font-semibold tracking-tight wrap-anywhere sm:text-[1.75rem]"
            >
              {title}
            </h1>
            {status && <Status kind={status} />}
          </div>
          {template && (
            <p dir="auto" className="mt-1 wrap-anywhere text-muted">
              {template}
            </p>
          )}
        </div>
        {actions && (
          <div role="group" aria-label="Actions" className="flex flex-wrap gap-2">
            {actions}
          </div>
        )}
      </header>
      {children}
    </div>
  );
}

/**
 * Leads back to the list as it was filtered. If the list is the previous page, the link goes back in the browser history
 * instead, which also restores how far the list was scrolled.
 */
function BackLink() {
  const navigate = useNavigate();
  const listSearch = listSearchOf(useLocation().state);
  const goBack = (event: MouseEvent) => {
    const isPlainClick = !event.metaKey && !event.ctrlKey && !event.shiftKey && event.button === 0;
    if (listSearch === null || !isPlainClick) return;
    event.preventDefault();
    void navigate(-1);
  };
  return (
    <Link
      to={`${paths.directory}${listSearch ?? ""}`}
      onClick={goBack}
      className="-mt-2 inline-flex min-h-11 items-center gap-1.5 self-start rounded text-sm text-muted hover:text-foreground"
    >
      <ArrowLeft aria-hidden className="size-4 rtl:rotate-180" /> Back to waivers
    </Link>
  );
}

/** Shows `children` and the text of the waiver in two columns. On a narrow screen, the text comes last. */
export function WaiverColumns({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
      <div className="flex min-w-0 flex-col gap-5 lg:order-last">{children}</div>
      {text}
    </div>
  );
}
