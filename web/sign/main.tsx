import { createRoot } from "react-dom/client";
import { anonKey } from "../app/lib/anon-key";
import { hasStoredSession, openCompanySession } from "./company-session";
import { isEmbedded } from "./embedded";
import { functionCaller } from "./functions";
import { Page } from "./page";
import { restClient } from "./rest";
import "./sign.css";
import { parseInlined } from "./waiver";

const key = anonKey();
// In a frame the page is reloaded instead of opening the front page.
const leave = () => (isEmbedded() ? location.reload() : location.assign("/"));

createRoot(document.getElementById("page") ?? document.body).render(
  <Page
    request={restClient(key)}
    callFunction={functionCaller(key)}
    companySession={hasStoredSession() ? () => openCompanySession(key) : null}
    inlined={parseInlined(document.getElementById("waiver")?.textContent ?? "")}
    leave={leave}
  />,
);
