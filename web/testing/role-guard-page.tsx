import { QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { BrowserRouter, Route, Routes } from "react-router";
import { RequireRole } from "~/features/account/components/require-role";
import type { Role } from "~/features/account/model";
import { queryClient } from "~/lib/query-client";

/**
 * tests/e2e/test_role_guard.py builds this page and opens it in a browser. Each path requires one role, or one of several
 * roles. Every other path shows "Elsewhere".
 */
const PAGES: Record<string, Role | readonly Role[]> = {
  "/guarded/company": "company",
  "/guarded/customer": "customer",
  "/guarded/either": ["company", "customer"],
  "/guarded/list-of-one": ["customer"],
  "/guarded/no-role": [],
};

const root = document.getElementById("root");
if (!root) throw new Error("The page has no element with the id root.");

createRoot(root).render(
  <QueryClientProvider client={queryClient}>
    <BrowserRouter>
      <Routes>
        {Object.entries(PAGES).map(([path, required]) => (
          <Route
            key={path}
            path={path}
            element={<RequireRole required={required}>{({ role }) => <h1>Open to a {role}</h1>}</RequireRole>}
          />
        ))}
        <Route path="*" element={<h1>Elsewhere</h1>} />
      </Routes>
    </BrowserRouter>
  </QueryClientProvider>,
);
