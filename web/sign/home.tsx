import { createRoot } from "react-dom/client";
import style from "./home-receipts.css?inline";
import { HomeReceipts } from "./home-receipts";

/** The front page loads this file if the browser has signed something during the last day. */
const sheet = document.createElement("style");
sheet.textContent = style;
document.head.append(sheet);
const place = document.createElement("div");
(document.querySelector("main") ?? document.body).prepend(place);
// The server replaces this placeholder. The front page itself has no public key.
createRoot(place).render(<HomeReceipts anonKey="__CAIRN_ANON_KEY__" />);
