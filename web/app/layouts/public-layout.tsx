import { Outlet } from "react-router";
import { NeedsScript } from "~/ui/needs-script";
import PublicFrame from "./public-frame";

/** Public pages that need scripts. The others are in the plain layout. */
export default function PublicLayout() {
  return (
    <PublicFrame>
      <div className="mx-auto max-w-2xl px-5">
        <NeedsScript />
      </div>
      <Outlet />
    </PublicFrame>
  );
}
