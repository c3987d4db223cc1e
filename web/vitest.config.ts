import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    environment: "jsdom",
    include: ["app/**/*.test.{ts,tsx}", "sign/**/*.test.{ts,tsx}", "scripts/**/*.test.ts"],
    setupFiles: ["./testing/setup.ts"],
    env: { TZ: "UTC" },
    maxWorkers: 1,
    // A new jsdom for every file would take longer than all the tests. Instead, setup.ts cleans up between tests.
    isolate: false,
    restoreMocks: true,
    testTimeout: 120_000,
  },
});
