import { Dropdown } from "~/ui/dropdown";
import { ORDERS, STATES, type Listing } from "../model";
import { SearchBox } from "./search-box";

type Props = { listing: Listing; onChange: (change: Partial<Listing>) => void };

export function DirectoryFilters({ listing, onChange }: Props) {
  return (
    <search className="flex flex-wrap gap-3">
      <SearchBox term={listing.term} onSearch={(term) => onChange({ term })} />
      <Dropdown
        label="Status"
        className="grow sm:w-40 sm:grow-0"
        value={listing.state}
        options={STATES}
        onChoose={(state) => onChange({ state })}
      />
      <Dropdown
        label="Order"
        className="grow sm:w-40 sm:grow-0"
        value={listing.order}
        options={ORDERS}
        onChoose={(order) => onChange({ order })}
      />
    </search>
  );
}
