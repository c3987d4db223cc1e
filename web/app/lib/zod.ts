import { config } from "zod";

// Zod would compile its schemas with `new Function`. The content security policy of our pages forbids
// that, and the browser reports each attempt as a violation.
config({ jitless: true });

export * from "zod";
