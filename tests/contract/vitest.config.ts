import { defineConfig } from "vitest/config";

/** The real client against the really running server: one server for all files, started by `server.ts`. */
export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    globalSetup: ["./server.ts"],
    // Each story makes its own companies, so files may share the server; one worker keeps two cores calm.
    fileParallelism: false,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
