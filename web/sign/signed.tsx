import { createRoot } from "react-dom/client";
import { anonKey } from "../app/lib/anon-key";
import { openUnsentDraft } from "./draft-storage";
import { functionCaller } from "./functions";
import "./sign.css";
import { SignedPage } from "./signed-page";
import { parseInlined } from "./waiver";

const inlined = document.getElementById("waiver")?.textContent ?? "";
const lookup = parseInlined(inlined);

// If this tab has a signature that was not sent yet, the signing page opens and sends it.
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
