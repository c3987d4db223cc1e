import { Outlet } from "react-router";
import Directory from "~/routes/company/directory";
import Waiver, { clientLoader } from "~/routes/company/waiver";
import { paths } from "~/paths";
import { rosa, SIGNED_WAIVER } from "./company";
import { ROSA, signInAs } from "./server";
import { showRoutes } from "./show";

export const SIGNED_PATH = `/dashboard/waiver-management/${SIGNED_WAIVER.session_id}`;

/** Shows the list of waivers or the page of one waiver, as Rosa sees it. The links between them work. */
export function showWaivers(location: Parameters<typeof showRoutes>[1]) {
  signInAs(ROSA);
  return showRoutes(
    [
      {
        element: <Outlet context={rosa} />,
        // Without this, the router warns that there is nothing to show while the loader runs.
        HydrateFallback: () => null,
        children: [
          { path: paths.directory, element: <Directory /> },
          { path: `${paths.directory}/:id`, element: <Waiver />, loader: clientLoader },
        ],
      },
    ],
    location,
  );
}
