import { Outlet } from "react-router";
import PublicFrame from "./public-frame";

/** Public pages that do something in the browser. Those that only say something are in the plain layout. */
export default function PublicLayout() {
  return (
    <PublicFrame>
      <Outlet />
    </PublicFrame>
  );
}
