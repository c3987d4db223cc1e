import { createRoot } from "react-dom/client";
import { anonKey } from "../app/lib/anon-key";
import { hasStoredSession, openCompanySession } from "./company-session";
import { isEmbedded } from "./embedded";
import { functionCaller } from "./functions";
import { Page } from "./page";
import { restClient } from "./rest";
import "./sign.css";
import type { Body } from "./signing-page";
import { parseInlined } from "./waiver";

// A website that embeds the page does not want its visitors on our front page, so in a frame the page is reloaded.
const leave = () => (isEmbedded() ? location.reload() : location.assign("/"));

/** Shows the waiver that the server wrote into the page. */
export function renderPage(body: Body): void {
  const key = anonKey();
  createRoot(document.getElementById("page") ?? document.body).render(
    <Page
      request={restClient(key)}
      callFunction={functionCaller(key)}
      loadCompanySession={hasStoredSession() ? () => openCompanySession(key) : null}
      inlinedLookup={parseInlined(document.getElementById("waiver")?.textContent ?? "")}
      leave={leave}
      body={body}
    />,
  );
}
