import { FormBody } from "./form-body";
import { renderPage } from "./render-page";

renderPage(FormBody);
