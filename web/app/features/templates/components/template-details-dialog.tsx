import { Pencil } from "lucide-react";
import { useState, type ReactNode } from "react";
import { longDate } from "~/lib/dates";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import type { Template } from "../model";
import { TemplateForm } from "./template-form";

/** `children` is the text of the waiver, drawn by whoever knows how waivers are drawn. */
type Props = { template: Template; onClose: () => void; children: ReactNode };

export default function TemplateDetailsDialog({ template, onClose, children }: Props) {
  const [editing, setEditing] = useState(false);
  return (
    <Dialog open onClose={onClose} title="Waiver Template Details" size="lg">
      {editing ? (
        <>
          {template.isSample && (
            <p className="mb-4 rounded-control bg-sunken px-4 py-3 text-sm text-ink-soft">
              This is a sample shared by every company. Saving makes your own copy; the sample stays as it is.
            </p>
          )}
          <TemplateForm
            template={template}
            submit="Save Changes"
            done={template.isSample ? "Saved as your own template" : "Template saved"}
            onCancel={() => setEditing(false)}
            onSaved={onClose}
          />
        </>
      ) : (
        <Details template={template} onEdit={() => setEditing(true)}>
          {children}
        </Details>
      )}
    </Dialog>
  );
}

type DetailsProps = { template: Template; onEdit: () => void; children: ReactNode };

function Details({ template: { name, description, content, createdAt }, onEdit, children }: DetailsProps) {
  return (
    <>
      <h3 dir="auto" className="text-xl font-semibold break-words">
        {name}
      </h3>
      {description && (
        <p dir="auto" className="mt-1 text-ink-soft">
          {description}
        </p>
      )}
      <p className="mt-1 text-sm text-ink-soft">Created on {longDate(new Date(createdAt))}</p>
      <section
        aria-label="Waiver content"
        tabIndex={0}
        className="mt-4 max-h-[45dvh] shrink-0 overflow-y-auto rounded-control border border-line bg-ground p-5"
      >
        {content ? children : <p className="text-ink-soft">No content available</p>}
      </section>
      <DialogActions>
        <Button variant="secondary" onClick={onEdit}>
          <Pencil aria-hidden /> Edit
        </Button>
      </DialogActions>
    </>
  );
}
