import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    environment: "jsdom",
    include: ["app/**/*.test.{ts,tsx}", "sign/**/*.test.{ts,tsx}"],
    setupFiles: ["./testing/setup.ts"],
    env: { TZ: "UTC" },
    maxWorkers: 1,
    // A fresh browser for every file would cost more than all the tests; setup.ts sweeps between them instead.
    isolate: false,
    restoreMocks: true,
    testTimeout: 20_000,
  },
});
