import { defineConfig } from "vitest/config";

/** Runs the real clients against a real server: `server.ts` starts one for all files. */
export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    globalSetup: ["./server.ts"],
    // Test files could run in parallel, because each test creates its own companies. One worker limits the CPU load.
    fileParallelism: false,
    // These timeouts are long, because other tests may keep all processors busy. They only end tests that hang.
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
