import { useState } from "react";
import type { ConsentTextRow, TemplateRow } from "~/lib/database";
import { newId } from "~/lib/new-id";
import { useConsentText } from "./api/consent-text";
import { useSessionToSign, type SessionToSign } from "./api/session-to-sign";
import { NOT_LOADED, parseSignParameter, sessionProblem, TEMPLATE_NOT_FOUND } from "./model";

type TemplateToSign = Pick<TemplateRow, "id" | "name" | "content" | "form">;
export type WaiverToSign = {
  session: SessionToSign;
  consent: ConsentTextRow | null;
  /** A template has no session until the guest signs. */
  isNewSession: boolean;
};
type Result = { waiver: WaiverToSign | null; problem: string | null };

/**
 * Returns the waiver that the URL names, by a session or by a template. For a template it also chooses the id of the
 * session, which is created only when the guest signs.
 */
export function useWaiverToSign(
  signParameter: string,
  templates: TemplateToSign[],
  companyName: string,
): Result {
  const { kind, id } = parseSignParameter(signParameter, templates);
  const { data: stored, isError } = useSessionToSign(kind === "session" ? id : null);
  // The default session of a template is never signed itself, so its id refers to the template.
  const isTemplate = kind === "template" || stored?.session.status === "template_default";
  const templateId = stored?.session.template_id ?? id;
  const template = templates.find((candidate) => candidate.id === templateId && candidate.content.trim());
  const consent = useConsentText(isTemplate);
  const [newSessionId] = useState(newId);

  if (!isTemplate) {
    const problem = sessionProblem({ isError, result: stored });
    return { waiver: stored && !problem ? { ...stored, isNewSession: false } : null, problem };
  }
  if (!template) return { waiver: null, problem: TEMPLATE_NOT_FOUND };
  if (consent.data === undefined) return { waiver: null, problem: consent.isError ? NOT_LOADED : null };
  const session = newSession(newSessionId, template, companyName);
  return { waiver: { session, consent: consent.data, isNewSession: true }, problem: null };
}

const newSession = (id: string, template: TemplateToSign, companyName: string): SessionToSign => ({
  id,
  status: "pending",
  template_id: template.id,
  template_name: template.name,
  template_content: template.content,
  company_name: companyName,
  recipient_name: null,
  recipient_email: null,
  expires_at: null,
  form: template.form,
});
