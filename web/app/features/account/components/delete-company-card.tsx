import { Building2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { longDate } from "~/lib/dates";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { DownloadButton } from "~/ui/download-button";
import { Skeleton } from "~/ui/skeleton";
import { useCompanyDeletion, useKeepCompany } from "../api/company-deletion";

const DeleteCompanyDialog = lazy(() => import("./delete-company-dialog"));

type Company = { id: string; name: string };

/** The owner exports the company, deletes it, or keeps it after all. */
export function DeleteCompanyCard({ company }: { company: Company }) {
  const { data: deleteAt, isPending } = useCompanyDeletion(company.id);
  return (
    <Card id="company-data" className="max-w-2xl p-5 sm:p-6" aria-labelledby="delete-company">
      <h2 id="delete-company" className="text-lg font-semibold">
        Export or Delete Your Company
      </h2>
      <p className="mt-1 mb-4 text-muted">
        Download a ZIP file with your templates, all waivers, the sealed documents and the signed heads. Only
        the owner, who created the account, can do this.
      </p>
      <DownloadButton from="export-company" fileName="company.zip">
        Download everything
      </DownloadButton>
      <div className="mt-6 border-t border-line pt-5">
        {isPending && <Skeleton className="h-11" />}
        {deleteAt && <KeepCompany company={company} deleteAt={deleteAt} />}
        {!isPending && !deleteAt && <DeleteCompany company={company} />}
      </div>
    </Card>
  );
}

function DeleteCompany({ company }: { company: Company }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        <Building2 aria-hidden /> Delete your company
      </Button>
      {isOpen && (
        <Suspense>
          <DeleteCompanyDialog company={company} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function KeepCompany({ company, deleteAt }: { company: Company; deleteAt: string }) {
  const keep = useKeepCompany(company.id);
  return (
    <>
      <p className="mb-4">
        Your company will be deleted on <strong>{longDate(new Date(deleteAt))}</strong>. Until then everything
        works as before, but a paid plan is not renewed.
      </p>
      <Button busy={keep.isPending} onClick={() => keep.mutate()}>
        Keep my company
      </Button>
    </>
  );
}
