import { SlidersHorizontal } from "lucide-react";
import { lazy, Suspense, useId, useRef, useState } from "react";
import { Button } from "~/ui/button";
import { NO_PEOPLE_FILTERS, ORDER_LABELS, peopleFilterCount, STATUS_LABELS, type Listing } from "../model";
import { FilterSelect } from "./filter-select";
import { FiltersSkeleton } from "./filters-skeleton";
import { SearchBox } from "./search-box";

const MoreFilters = lazy(() => import("./more-filters"));

type Props = { listing: Listing; onChange: (change: Partial<Listing>) => void };

export function DirectoryFilters({ listing, onChange }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const filterCount = peopleFilterCount(listing);
  // A filter from the URL must be visible.
  const [isOpen, setOpen] = useState(filterCount > 0);
  const clear = () => {
    onChange(NO_PEOPLE_FILTERS);
    // The button that had the focus disappears.
    button.current?.focus();
  };
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
      <Button
        ref={button}
        variant="secondary"
        className="h-11 grow sm:grow-0 md:h-11"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <SlidersHorizontal aria-hidden />
        {filterCount > 0 ? `Filters (${filterCount})` : "Filters"}
      </Button>
      {filterCount > 0 && (
        <Button variant="ghost" className="h-11 md:h-11" onClick={clear}>
          Clear filters
        </Button>
      )}
      {isOpen && (
        <Suspense fallback={<FiltersSkeleton id={id} />}>
          <MoreFilters id={id} listing={listing} onChange={onChange} />
        </Suspense>
      )}
    </search>
  );
}
