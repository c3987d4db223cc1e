/** The signing page contains only the texts of these refusals, because it has to stay small. */
export const SIGNING_REFUSALS: Record<string, string> = {
  template_empty: "Could not find the waiver template for this session.",
  session_not_found: "Could not find the waiver session.",
  signature_too_large: "The signature is too large.",
};

/**
 * Maps the stable code of each refusal that the server raises in SQL to its text. A placeholder such as `{time_zone}`
 * is replaced by a parameter. cairn/<package>/sql/refusals.sql lists the codes, and a test compares both lists.
 */
export const REFUSALS: Record<string, string> = {
  ...SIGNING_REFUSALS,
  session_is_template_default: "This session is the template's own. Open a new session to sign.",
  signature_required: "Name, email and signature are required.",
  signature_not_png: "The signature must be a PNG image.",
  signer_email_incomplete: "This email address is not complete.",
  email_address_not_single: "Please enter one email address, without brackets, quotes or commas.",
  document_secret_too_short: "The secret that opens the document must have at least 32 characters.",
  consent_text_not_found: "There is no consent text of this version and language.",
  waiver_expired: "This waiver has expired. Please ask for a new link.",
  company_not_accepting: "This company does not accept signatures at present. Please contact the company.",
  company_suspended:
    "Your company is suspended, so nothing can be sent or changed. All records stay readable. Please contact support.",
  session_signed_too_often: "This link was signed {max_signatures} times already. Please ask for a new link.",
  link_erased:
    "The waiver that was signed with this link has been erased, so the link is closed. Please ask for a new link.",
  waiver_cancelled: "This waiver was cancelled, so it can no longer be signed, changed or sent.",
  waiver_already_signed: "This waiver has been signed in the meantime. You can revoke it instead.",
  waiver_already_revoked: "This waiver is revoked already.",
  waiver_not_found: "Could not find this signed waiver.",
  newer_waiver_not_found: "Please choose a newer signed waiver of your company that is not revoked.",
  changing_needs_company: "Only the company that sent a waiver can cancel, correct or revoke it.",
  template_link_not_changeable: "This is the public link of a template. Archive the template to close it.",
  reason_required: "Please enter a reason. The history of the waiver shows it.",
  reason_too_long: "Please enter a reason with at most 500 characters.",
  recipient_required: "Please enter the name and the email address of the recipient.",
  recipient_email_incomplete: "The email address of the recipient is not complete.",
  recipient_name_too_long: "Please enter a name with at most 400 characters.",
  recipient_unchanged: "The name and the address are the same as before. Please change one of them.",
  waiver_replaced_too_often:
    "This waiver was corrected or sent again {max_links} times already. Please cancel it and send a new one.",
  reason_names_the_signer: "The reason is kept after the erasure, so please do not name the person in it.",
  waiver_already_erased: "This waiver has been erased.",
  waiver_already_held: "This waiver is on legal hold already.",
  waiver_held_too_often:
    "This waiver was put on legal hold {max_holds} times already. To keep it, please download its evidence pack.",
  waiver_not_held: "This waiver is not on legal hold.",
  waiver_is_held: "This waiver is on legal hold, so it cannot be erased. Release the hold first.",
  address_not_proven: "Please verify your email address first. Then sign in again.",
  note_too_long: "Please write at most 1,000 characters.",
  nothing_to_erase: "This company has no waiver that was signed with your email address.",
  too_many_erasure_requests:
    "You have sent this company several requests today. Please wait for its answer, or try again tomorrow.",
  erasure_request_not_found: "Could not find this request.",
  erasure_request_answered: "This request was answered already.",
  waiver_id_taken: "This waiver id is taken.",
  time_zone_unknown: "There is no time zone called {time_zone}.",
  reply_to_not_single: "Please enter one email address for replies, without brackets, quotes or commas.",
  sender_name_has_address:
    "Please enter a name without an email or web address. Guests see it as the sender of your emails.",
  sender_name_is_brand:
    "The name {name} is that of another well-known company. Please enter the name your guests know you by.",
  address_complained:
    "The owner of {address} reported one of your emails as spam, so this address gets no more emails from you. Please send the link another way, for example as a text message.",
  basic_limit_reached:
    "The Basic plan covers {covered} waivers a month, and that many were sent in {month_name}. The Professional plan has no limit.",
  free_limit_reached:
    "Without a plan you can send {covered} waivers a month, and that many were sent in {month_name}. The Professional plan has no limit.",
  realtime_not_available: "Realtime cannot be enabled for this table.",
  publish_needs_only_inserts:
    "A table known under another name is published by its key: say only_inserts => true.",
  broadcast_needs_row_trigger: "Only changes of rows can be broadcast: create the trigger for each row.",
  bucket_protection_is_final: "A bucket keeps its protection and its id",
  object_is_final: "Objects of this bucket can be neither replaced nor deleted",
  template_name_required: "Template name is required.",
  template_too_long:
    "A waiver can have at most 2,000 lines and 100,000 characters, where each placeholder for a name counts as 400. Please shorten the text.",
  template_limit_reached:
    "A company can have at most 1,000 templates. Please change one that you no longer use.",
  template_quota_reached: "Too many changes of templates were saved today. Please try again tomorrow.",
  too_many_templates_changed: "At most 20 templates can be changed at once. Please change fewer.",
  template_not_found: "The requested waiver template could not be found.",
  template_archived: "This waiver template is archived and takes no new signatures.",
  version_is_final: "A saved version is never changed.",
  session_status_invalid:
    "A session starts as pending or template_default and becomes signed only by signing.",
  session_id_taken: "This session id is taken.",
  session_not_signed: "A session becomes signed only by signing.",
  session_not_deletable: "Waiver sessions are kept.",
  sending_needs_company: "Only a company can send waivers.",
  reminding_needs_company: "Only a company can send reminders.",
  storage_quota_reached:
    "Too many waivers were signed here today. Please try again later, or tell the company.",
  waiver_is_final: "A signed waiver is never changed.",
  head_is_final: "A signed head is never changed.",
  too_many_adults_invited:
    "With this link, {max_adults} adults were invited already. Please ask the company to send a link to the others.",
  directory_filter_unknown: "The directory knows no such order or filter.",
};

/** Returns the code of the refusal in the `details` of an error response, or undefined for other errors. */
export function refusalCode(details: unknown): string | undefined {
  return /^{"code": "(\w+)"/.exec(String(details))?.[1];
}

/** Returns the text of the refusal with its parameters filled in. */
export function refusalText(details: unknown): string | undefined {
  const text = REFUSALS[refusalCode(details) ?? ""];
  if (!text) return undefined;
  const { parameters } = JSON.parse(String(details));
  return text.replace(/{(\w+)}/g, (_, name: string) => parameters[name]);
}
