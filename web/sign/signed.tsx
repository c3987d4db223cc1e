import { createRoot } from "react-dom/client";
import { anonKey } from "../app/lib/anon-key";
import { openUnsentDraft } from "./draft-storage";
import { functionCaller } from "./functions";
import "./sign.css";
import { SignedPage } from "./signed-page";
import { parseInlined } from "./waiver";

const inlined = document.getElementById("waiver")?.textContent ?? "";
const lookup = parseInlined(inlined);

// A signature of this tab that was not sent yet is sent by the signing page.
if (!openUnsentDraft() && lookup.kind === "waiver") {
  document.title = lookup.waiver.name;
  createRoot(document.getElementById("page") ?? document.body).render(
    <SignedPage
      waiver={lookup.waiver}
      firstSignature={JSON.parse(inlined).first_signature}
      callFunction={functionCaller(anonKey())}
    />,
  );
}
