import { ExternalLink } from "lucide-react";
import { useSearchParams } from "react-router";
import { FramePreview } from "~/features/embedding/components/frame-preview";
import { NoWebsitesNotice } from "~/features/embedding/components/no-websites-notice";
import { TemplateChoice } from "~/features/embedding/components/template-choice";
import { Websites } from "~/features/embedding/components/websites";
import { snippet, type EmbeddableTemplate } from "~/features/embedding/model";
import { CodeSample } from "~/features/help/components/code-sample";
import { ReadingPage, Section } from "~/features/help/components/page";
import { useTemplates } from "~/features/templates/api/templates";
import { TemplatesFailure } from "~/features/templates/components/templates-failure";
import { isBlank } from "~/features/templates/model";
import { useCompanyAccount } from "~/layouts/company-layout";
import { paths } from "~/paths";
import { Card } from "~/ui/card";
import { OfflineCopyLabel } from "~/ui/offline-copy-label";
import { EmptyState } from "~/ui/empty-state";
import { Skeleton } from "~/ui/skeleton";
import { LinkButton } from "~/ui/link-button";

export const meta = () => [{ title: "HTML Embedding · Cairn" }];

export default function HtmlEmbed() {
  const { company } = useCompanyAccount();
  const { templates, dataUpdatedAt, isError, refetch } = useTemplates();
  const embeddableTemplates = templates?.filter(
    (template) => template.archivedAt === null && !isBlank(template),
  );
  return (
    <ReadingPage
      title="HTML Embedding"
      intro="Show a signing page inside your own website. What guests sign there arrives here, like every other waiver."
    >
      <OfflineCopyLabel at={dataUpdatedAt} />
      {embeddableTemplates && embeddableTemplates.length > 0 && (
        <Embedding templates={embeddableTemplates} companyId={company?.id} />
      )}
      {embeddableTemplates?.length === 0 && <NoTemplates />}
      {!embeddableTemplates && !isError && <LoadingEmbedding />}
      {!embeddableTemplates && isError && <TemplatesFailure onRetry={() => void refetch()} />}
      {company && (
        <Section id="websites" title="Websites that may show it">
          <Websites companyId={company.id} />
        </Section>
      )}
    </ReadingPage>
  );
}

type EmbeddingProps = { templates: EmbeddableTemplate[]; companyId: string | undefined };

/** Shows the snippet and the preview of the selected template. The URL contains the selection. */
function Embedding({ templates, companyId }: EmbeddingProps) {
  const [parameters, setParameters] = useSearchParams();
  const selectedTemplate = templates.find(({ id }) => id === parameters.get("template")) ?? templates[0];
  if (!selectedTemplate) return null;
  const path = paths.embedded(selectedTemplate.id, selectedTemplate.isSample ? companyId : undefined);
  const { origin } = window.location;
  const code = snippet(origin + path, selectedTemplate.name);
  return (
    <>
      <Section id="snippet" title="Your snippet">
        <TemplateChoice
          templates={templates}
          selectedId={selectedTemplate.id}
          onSelect={(template) => setParameters({ template }, { replace: true })}
        />
        {companyId && <NoWebsitesNotice companyId={companyId} />}
        <CodeSample key={code} label="HTML snippet">
          {code}
        </CodeSample>
        <p>
          Paste it into your page where the waiver should appear; in a website builder that is the block
          called HTML, code or embed. It needs no script. If your website has a content security policy, allow
          it to frame <code>{origin}</code>.
        </p>
      </Section>
      <Section id="preview" title="What your visitors see">
        <FramePreview path={path} name={selectedTemplate.name} />
        <p className="text-sm text-muted">
          Preview only. On a phone the frame adapts to the width of the screen.
        </p>
        <p>
          <a href={path} target="_blank" rel="noreferrer" className="inline-flex items-center gap-1.5">
            Open the signing page itself <ExternalLink className="size-4" aria-hidden />
          </a>
          {
            " for a tablet or kiosk at your office: after each signature it offers a new page to the next guest."
          }
        </p>
      </Section>
    </>
  );
}

function NoTemplates() {
  return (
    <Card>
      <EmptyState
        title="No template to show yet"
        action={<LinkButton to={paths.templates}>Write a template</LinkButton>}
      >
        A template that has text and is not archived can be shown on your website.
      </EmptyState>
    </Card>
  );
}

function LoadingEmbedding() {
  return (
    <Card aria-busy className="flex flex-col gap-4 p-5 sm:p-6">
      <p className="sr-only" role="status">
        Loading templates...
      </p>
      <Skeleton className="h-6 w-32" />
      <Skeleton className="h-11" />
      <Skeleton className="h-44" />
      <Skeleton className="h-12" />
    </Card>
  );
}
