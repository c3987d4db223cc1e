import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { createMemoryRouter, type RouteObject } from "react-router";
import { RouterProvider } from "react-router/dom";
import { queryClient } from "~/lib/query-client";
import { Toasts } from "~/ui/toasts";

/** Renders a page at a location, with toasts. Every other location shows "elsewhere". */
export function show(
  page: ReactNode,
  location: string | { pathname: string; search?: string; state?: unknown } = "/here",
) {
  const path = typeof location === "string" ? location : location.pathname;
  return showRoutes([{ path: path.split("?")[0] ?? path, element: page }], location);
}

export function showRoutes(routes: RouteObject[], location: Parameters<typeof show>[1]) {
  const elsewhere = { path: "*", element: <p>elsewhere</p> };
  const router = createMemoryRouter([...routes, elsewhere], { initialEntries: [location ?? "/here"] });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>,
  );
  return router;
}
