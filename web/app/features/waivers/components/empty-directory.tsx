import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { LinkButton } from "~/ui/link-button";
import { useTemplateChoices } from "../api/filter-choices";
import { filterSummary } from "../filter-choices";
import { isFiltered, type Listing } from "../model";

type Props = { listing: Listing; onReset: () => void };

/** A company without waivers and a search without results need different next steps. */
export function EmptyDirectory({ listing, onReset }: Props) {
  const { data: templates = [], isLoading } = useTemplateChoices(listing.template !== undefined);
  if (isFiltered(listing)) {
    return (
      <EmptyState
        title="No waivers match your search criteria."
        action={
          <Button variant="secondary" onClick={onReset}>
            Show all waivers
          </Button>
        }
      >
        {/* The id of a template means nothing to people, so its name is awaited. */}
        {!isLoading && `Active filters: ${filterSummary(listing, templates)}.`}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No waivers found."
      action={
        <LinkButton to={paths.templates} variant="secondary">
          Send the first one
        </LinkButton>
      }
    >
      A waiver is listed here from the moment it is sent.
    </EmptyState>
  );
}
