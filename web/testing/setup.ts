import "@testing-library/jest-dom/vitest";
import { act, cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { dismissToast } from "~/ui/toast-store";
import { endOutage } from "./network";
import { resetServer } from "./server";

// As the server writes it into every page.
document.head.insertAdjacentHTML("beforeend", '<meta name="cairn-anon-key" content="anon">');

// jsdom has no view to bring anything into.
Element.prototype.scrollIntoView = () => {};

// As long as a busy machine needs; whoever finds it sooner does not wait.
configure({ asyncUtilTimeout: 5_000 });

afterEach(async () => {
  act(dismissToast);
  cleanup();
  await endOutage();
  resetServer();
  localStorage.clear();
  sessionStorage.clear();
});
