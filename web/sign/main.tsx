import { createRoot } from "react-dom/client";
import { documents } from "./document";
import { Page } from "./page";
import { connect } from "./rest";
import "./sign.css";
import { inlined } from "./waiver";

const key = document.querySelector<HTMLMetaElement>('meta[name="cairn-anon-key"]')?.content ?? "";
const found = inlined(document.getElementById("waiver")?.textContent ?? "");
const leave = () => location.assign("/");

createRoot(document.getElementById("page") ?? document.body).render(
  <Page ask={connect(key)} fetchDocument={documents(key)} found={found} leave={leave} />,
);
