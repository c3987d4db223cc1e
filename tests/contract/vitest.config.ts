import { defineConfig } from "vitest/config";

/** Runs the real clients against a real server: `server.ts` starts one for all files. */
export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    globalSetup: ["./server.ts"],
    // Each test creates its own companies, so files could share the server; one worker limits the CPU load.
    fileParallelism: false,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
