import { createRoot } from "react-dom/client";
import { findDesk, isSomebodyHere } from "./account";
import { functions } from "./functions";
import { Page } from "./page";
import { connect } from "./rest";
import "./sign.css";
import { inlined } from "./waiver";

const key = document.querySelector<HTMLMetaElement>('meta[name="cairn-anon-key"]')?.content ?? "";
const found = inlined(document.getElementById("waiver")?.textContent ?? "");
const leave = () => location.assign("/");

createRoot(document.getElementById("page") ?? document.body).render(
  <Page
    ask={connect(key)}
    call={functions(key)}
    desk={isSomebodyHere() ? () => findDesk(key) : null}
    found={found}
    leave={leave}
  />,
);
