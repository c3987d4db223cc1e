import { Link, useLocation } from "react-router";
import { Button } from "~/ui/button";
import { fromList, rowPath, type DirectoryRow } from "../model";

/** Opens the page of the waiver, which leads back to the list as it is filtered now. */
export function ViewLink({ row }: { row: DirectoryRow }) {
  const { search } = useLocation();
  return (
    <Button asChild variant="ghost" size="sm">
      <Link to={rowPath(row)} state={fromList(search)} aria-label={`View waiver of ${row.name}`}>
        View
      </Link>
    </Button>
  );
}
