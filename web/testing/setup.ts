import "@testing-library/jest-dom/vitest";
import { act, cleanup } from "@testing-library/react";
import { afterEach } from "vitest";
import { dismissToast } from "~/ui/toast-store";
import { forgetAnswers } from "./server";

// As the server writes it into every page.
document.head.insertAdjacentHTML("beforeend", '<meta name="cairn-anon-key" content="anon">');

afterEach(() => {
  act(dismissToast);
  cleanup();
  forgetAnswers();
  localStorage.clear();
  sessionStorage.clear();
});
