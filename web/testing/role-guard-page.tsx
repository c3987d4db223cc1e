import { QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { BrowserRouter, Route, Routes } from "react-router";
import { RequireRole } from "~/features/account/components/require-role";
import type { Role } from "~/lib/database";
import { queryClient } from "~/lib/query-client";

/** Rooms whose guard asks for one role, and rooms that name a list; every other address says that it is elsewhere. */
const ROOMS: Record<string, Role | readonly Role[]> = {
  "/guarded/company": "company",
  "/guarded/customer": "customer",
  "/guarded/either": ["company", "customer"],
  "/guarded/list-of-one": ["customer"],
  "/guarded/nobody": [],
};

const place = document.getElementById("place");
if (!place) throw new Error("There is no place for the rooms.");

createRoot(place).render(
  <QueryClientProvider client={queryClient}>
    <BrowserRouter>
      <Routes>
        {Object.entries(ROOMS).map(([path, required]) => (
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
