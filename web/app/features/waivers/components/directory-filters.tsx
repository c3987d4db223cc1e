import { ORDER_LABELS, STATUS_LABELS, type Listing } from "../model";
import { FilterSelect } from "./filter-select";
import { SearchBox } from "./search-box";

type Props = { listing: Listing; onChange: (change: Partial<Listing>) => void };

export function DirectoryFilters({ listing, onChange }: Props) {
  return (
    <search className="flex flex-wrap gap-3">
      <SearchBox term={listing.term} onSearch={(term) => onChange({ term })} />
      <FilterSelect
        label="Status"
        value={listing.status}
        options={STATUS_LABELS}
        onChoose={(status) => onChange({ status })}
      />
      <FilterSelect
        label="Order"
        value={listing.order}
        options={ORDER_LABELS}
        onChoose={(order) => onChange({ order })}
      />
    </search>
  );
}
