import "@testing-library/jest-dom/vitest";
import { act, cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { dismissToast } from "~/ui/toast-store";
import { endOutage } from "./network";
import { resetServer } from "./server";

// The server writes this element into every page.
document.head.insertAdjacentHTML("beforeend", '<meta name="cairn-anon-key" content="anon">');

// jsdom does not implement scrolling.
Element.prototype.scrollIntoView = () => {};

// The timeout is long enough for a busy machine. A test that succeeds earlier does not wait.
configure({ asyncUtilTimeout: 5_000 });

afterEach(async () => {
  act(dismissToast);
  cleanup();
  await endOutage();
  resetServer();
  localStorage.clear();
  sessionStorage.clear();
});
