/** A template as the table `waiver_templates` has it. */
export const TEMPLATE_ROW = {
  id: "tpl-1",
  company_id: "c1",
  name: "River day",
  description: "Half a day",
  content: "I, [PARTICIPANT NAME], ride.",
  created_at: "2026-01-02T00:00:00Z",
  updated_at: "2026-01-02T00:00:00Z",
  version: 1,
  archived_at: null,
  form: null,
};
