import { useEffect, useState } from "react";
import type { CompanySession } from "./company-session";
import { isEmbedded } from "./embedded";
import type { CallFunction } from "./functions";
import { Message } from "./message";
import type { RestRequest } from "./rest";
import { SigningPage, type Body } from "./signing-page";
import { forCompany, loadWaiver, type WaiverLookup } from "./waiver";

type Props = {
  request: RestRequest;
  callFunction: CallFunction;
  /** This is null if no company session is stored on this device. */
  loadCompanySession: (() => Promise<CompanySession | null>) | null;
  /** The server wrote this lookup into the page, or it is `unavailable`. */
  inlinedLookup: WaiverLookup;
  leave: () => void;
  body: Body;
};
type OpenedWaiver = { lookup: WaiverLookup; request: RestRequest };

/** Shows the waiver that the URL names, or the reason why there is none. */
export function Page({ request, callFunction, loadCompanySession, inlinedLookup, leave, body }: Props) {
  // In a frame only the inlined waiver is used, because it is the only one for which the server has checked which
  // websites may embed it.
  const needsNoRequest = isEmbedded() || (inlinedLookup.kind !== "unavailable" && !loadCompanySession);
  const [openedWaiver, setOpenedWaiver] = useState<OpenedWaiver | null>(
    needsNoRequest ? { lookup: inlinedLookup, request } : null,
  );
  useEffect(() => {
    if (!openedWaiver) void openWaiver(request, loadCompanySession, inlinedLookup).then(setOpenedWaiver);
  }, [request, loadCompanySession, inlinedLookup, openedWaiver]);
  const lookup = openedWaiver?.lookup;
  useEffect(() => {
    if (lookup?.kind === "waiver") document.title = lookup.waiver.name;
  }, [lookup]);

  if (!lookup) return <Loading />;
  if (lookup.kind === "waiver")
    return (
      <SigningPage
        request={openedWaiver.request}
        callFunction={callFunction}
        waiver={lookup.waiver}
        leave={leave}
        body={body}
      />
    );
  return <NotFound lookup={lookup} onRetry={isEmbedded() ? leave : () => setOpenedWaiver(null)} />;
}

async function openWaiver(
  request: RestRequest,
  loadCompanySession: Props["loadCompanySession"],
  inlinedLookup: WaiverLookup,
): Promise<OpenedWaiver> {
  const [lookup, session] = await Promise.all([
    inlinedLookup.kind === "unavailable" ? loadWaiver(request, new URL(location.href)) : inlinedLookup,
    loadCompanySession?.(),
  ]);
  const companyLookup = session && forCompany(lookup, session.company);
  return companyLookup ? { lookup: companyLookup, request: session.request } : { lookup, request };
}

function Loading() {
  return (
    <main className="message">
      <output>Loading waiver...</output>
    </main>
  );
}

const MISSING_TEXTS = {
  session: ["Session Not Found", "The requested waiver session could not be found."],
  template: ["Waiver Not Found", "The requested waiver template could not be found."],
  content: ["Waiver Template Not Found", "The waiver template for this session could not be found."],
};

type NotFoundProps = { lookup: Exclude<WaiverLookup, { kind: "waiver" }>; onRetry: () => void };

function NotFound({ lookup, onRetry }: NotFoundProps) {
  const isMissing = lookup.kind === "missing";
  const [title, text] = isMissing ? MISSING_TEXTS[lookup.what] : ["", "Failed to load waiver data."];
  return (
    <Message title="Waiver Not Found">
      <p>The requested waiver could not be found.</p>
      <div className="notice" role="alert">
        {title && <h2>{title}</h2>}
        <p>{text}</p>
        {!isMissing && (
          <button type="button" onClick={onRetry}>
            Try again
          </button>
        )}
      </div>
    </Message>
  );
}
