import { createRoot } from "react-dom/client";
import { findDesk, isSomebodyHere } from "./account";
import { isEmbedded } from "./embedded";
import { functions } from "./functions";
import { Page } from "./page";
import { connect } from "./rest";
import "./sign.css";
import { inlined } from "./waiver";

const key = document.querySelector<HTMLMetaElement>('meta[name="cairn-anon-key"]')?.content ?? "";
const found = inlined(document.getElementById("waiver")?.textContent ?? "");
// In a frame there is no home to go to: it begins again.
const leave = () => (isEmbedded() ? location.reload() : location.assign("/"));

createRoot(document.getElementById("page") ?? document.body).render(
  <Page
    ask={connect(key)}
    call={functions(key)}
    desk={isSomebodyHere() ? () => findDesk(key) : null}
    found={found}
    leave={leave}
  />,
);
