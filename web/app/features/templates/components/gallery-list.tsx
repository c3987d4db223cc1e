import { useState } from "react";
import { Button } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { Field } from "~/ui/field";
import { Input } from "~/ui/input";
import { Select } from "~/ui/select";
import {
  filterTemplates,
  GROUPS,
  groupTemplates,
  type GalleryFilter,
  type StartingTemplate,
} from "../starting-templates";

type PreviewHandler = (template: StartingTemplate, card: HTMLElement) => void;
type Props = { templates: StartingTemplate[]; onPreview: PreviewHandler };

const NO_FILTER: GalleryFilter = { search: "", group: null };

export function GalleryList({ templates, onPreview }: Props) {
  const [filter, setFilter] = useState(NO_FILTER);
  const matches = filterTemplates(templates, filter);
  return (
    <div className="mt-5 flex flex-col gap-5">
      <Filters filter={filter} onChange={setFilter} />
      <p role="status" className="text-sm text-muted">
        {matches.length === 1 ? "1 template" : `${matches.length} templates`}
      </p>
      {matches.length === 0 && (
        <EmptyState
          title="No template matches"
          action={
            <Button variant="secondary" onClick={() => setFilter(NO_FILTER)}>
              Show all templates
            </Button>
          }
        >
          Try another word, such as the name of your activity, or start from the template that comes closest.
        </EmptyState>
      )}
      {groupTemplates(matches).map((section) => (
        <section key={section.group} aria-label={section.group}>
          <h3 className="mb-2 font-semibold">{section.group}</h3>
          <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
            {section.templates.map((template) => (
              <li key={template.id}>
                <GalleryCard template={template} onPreview={onPreview} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

type FiltersProps = { filter: GalleryFilter; onChange: (filter: GalleryFilter) => void };

function Filters({ filter, onChange }: FiltersProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-[1fr_16rem]">
      <Field label="Search">
        {(control) => (
          <Input
            {...control}
            type="search"
            placeholder="Rafting, helmet, children..."
            value={filter.search}
            onChange={({ target }) => onChange({ ...filter, search: target.value })}
          />
        )}
      </Field>
      <Field label="Kind of activity">
        {(control) => (
          <Select
            {...control}
            value={filter.group ?? ""}
            onChange={({ target }) =>
              onChange({ ...filter, group: GROUPS.find((group) => group === target.value) ?? null })
            }
          >
            <option value="">All kinds</option>
            {GROUPS.map((group) => (
              <option key={group}>{group}</option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}

function GalleryCard({ template, onPreview }: { template: StartingTemplate; onPreview: PreviewHandler }) {
  const { name, activity, description } = template;
  return (
    <button
      type="button"
      onClick={({ currentTarget }) => onPreview(template, currentTarget)}
      className="flex h-full w-full flex-col rounded-control border border-line bg-surface px-4 py-3 text-start transition-colors hover:border-muted hover:bg-sunken/60"
    >
      <span className="text-[0.8125rem] font-medium text-forest-text">{activity}</span>
      <span className="font-semibold">{name}</span>
      <span className="mt-1 text-sm text-muted">{description}</span>
    </button>
  );
}
