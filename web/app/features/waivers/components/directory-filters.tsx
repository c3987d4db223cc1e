import { Choice } from "~/ui/choice";
import { ORDERS, STATES, type Listing } from "../model";
import { SearchBox } from "./search-box";

type Props = { listing: Listing; onChange: (change: Partial<Listing>) => void };

export function DirectoryFilters({ listing, onChange }: Props) {
  return (
    <search className="flex flex-wrap gap-3">
      <SearchBox term={listing.term} onSearch={(term) => onChange({ term })} />
      <Choice
        label="Status"
        className="grow sm:w-40 sm:grow-0"
        value={listing.state}
        options={STATES}
        onChoose={(state) => onChange({ state })}
      />
      <Choice
        label="Order"
        className="grow sm:w-40 sm:grow-0"
        value={listing.order}
        options={ORDERS}
        onChoose={(order) => onChange({ order })}
      />
    </search>
  );
}
