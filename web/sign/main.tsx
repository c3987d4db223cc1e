import { renderPage } from "./render-page";
import { TextBody } from "./text-body";

renderPage(TextBody);
