import { beforeEach, expect, test } from "vitest";

import { clearBrowserData, deleteDataOfPreviousUser, isRecovering, startRecovery } from "./browser-cache";

beforeEach(() => {
  sessionStorage.clear();
  localStorage.setItem("templateDrafts", "{}");
  sessionStorage.setItem("lastSend", "{}");
  startRecovery();
});

test("the data of the previous user is deleted, but the user who opened a recovery link still chooses a password", async () => {
  await deleteDataOfPreviousUser();

  expect(localStorage.getItem("templateDrafts")).toBeNull();
  expect(sessionStorage.getItem("lastSend")).toBeNull();
  expect(isRecovering()).toBe(true);
});

test("signing out also ends the recovery", async () => {
  await clearBrowserData();

  expect(isRecovering()).toBe(false);
});
