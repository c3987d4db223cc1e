-- Raises one of the refusals that this package lists here. Runs with the owner's privileges, because callers have no
-- access to schema `cairn`.
create or replace function waivers.refuse(code text, parameters jsonb default '{}') returns void
    language sql security definer set search_path = ''
    return cairn.raise_refusal(code, parameters, $${
        "template_name_required":      ["PT400", "Template name is required."],
        "template_too_long":           ["PT400", "A waiver can have at most 2,000 lines and 100,000 characters, where each placeholder for a name counts as 400. Please shorten the text."],
        "template_limit_reached":      ["PT409", "A company can have at most 1,000 templates. Please change one that you no longer use."],
        "template_quota_reached":      ["PT429", "Too many changes of templates were saved today. Please try again tomorrow."],
        "too_many_templates_changed":  ["PT400", "At most 20 templates can be changed at once. Please change fewer."],
        "template_not_found":          ["PT404", "The requested waiver template could not be found."],
        "template_archived":           ["PT409", "This waiver template is archived and takes no new signatures."],
        "template_empty":              ["PT404", "Could not find the waiver template for this session."],
        "version_is_final":            ["42501", "A saved version is never changed."],
        "session_status_invalid":      ["PT400", "A session starts as pending or template_default and becomes signed only by signing."],
        "session_id_taken":            ["23505", "This session id is taken."],
        "session_not_found":           ["PT404", "Could not find the waiver session."],
        "session_not_signed":          ["PT409", "A session becomes signed only by signing."],
        "session_not_deletable":       ["42501", "Waiver sessions are kept."],
        "session_is_template_default": ["PT409", "This session is the template's own. Open a new session to sign."],
        "sending_needs_company":       ["42501", "Only a company can send waivers."],
        "reminding_needs_company":     ["42501", "Only a company can send reminders."],
        "signature_required":          ["PT400", "Name, email and signature are required."],
        "signature_not_png":           ["PT400", "The signature must be a PNG image."],
        "signature_too_large":         ["PT400", "The signature is too large."],
        "signer_email_incomplete":     ["PT400", "This email address is not complete."],
        "email_address_not_single":    ["PT400", "Please enter one email address, without brackets, quotes or commas."],
        "document_secret_too_short":   ["PT400", "The secret that opens the document must have at least 32 characters."],
        "consent_text_not_found":      ["PT400", "There is no consent text of this version and language."],
        "waiver_expired":              ["PT410", "This waiver has expired. Please ask for a new link."],
        "company_not_accepting":       ["PT403", "This company does not accept signatures at present. Please contact the company."],
        "session_signed_too_often":    ["PT409", "This link was signed {max_signatures} times already. Please ask for a new link."],
        "link_erased":                 ["PT410", "The waiver that was signed with this link has been erased, so the link is closed. Please ask for a new link."],
        "waiver_cancelled":            ["PT410", "This waiver was cancelled, so it can no longer be signed, changed or sent."],
        "waiver_already_signed":       ["PT409", "This waiver has been signed in the meantime. You can revoke it instead."],
        "waiver_already_revoked":      ["PT409", "This waiver is revoked already."],
        "waiver_not_found":            ["PT404", "Could not find this signed waiver."],
        "newer_waiver_not_found":      ["PT400", "Please choose a newer signed waiver of your company that is not revoked."],
        "changing_needs_company":      ["42501", "Only the company that sent a waiver can cancel, correct or revoke it."],
        "template_link_not_changeable": ["PT409", "This is the public link of a template. Archive the template to close it."],
        "reason_required":             ["PT400", "Please enter a reason. The history of the waiver shows it."],
        "reason_too_long":             ["PT400", "Please enter a reason with at most 500 characters."],
        "recipient_required":          ["PT400", "Please enter the name and the email address of the recipient."],
        "recipient_email_incomplete":  ["PT400", "The email address of the recipient is not complete."],
        "recipient_name_too_long":     ["PT400", "Please enter a name with at most 400 characters."],
        "recipient_unchanged":         ["PT400", "The name and the address are the same as before. Please change one of them."],
        "waiver_replaced_too_often":   ["PT409", "This waiver was corrected or sent again {max_links} times already. Please cancel it and send a new one."],
        "reason_names_the_signer":     ["PT400", "The reason is kept after the erasure, so please do not name the person in it."],
        "waiver_already_erased":       ["PT409", "This waiver has been erased."],
        "waiver_already_held":         ["PT409", "This waiver is on legal hold already."],
        "waiver_held_too_often":       ["PT409", "This waiver was put on legal hold {max_holds} times already. To keep it, please download its evidence pack."],
        "waiver_not_held":             ["PT409", "This waiver is not on legal hold."],
        "waiver_is_held":              ["PT409", "This waiver is on legal hold, so it cannot be erased. Release the hold first."],
        "address_not_proven":          ["42501", "Please verify your email address first. Then sign in again."],
        "note_too_long":               ["PT400", "Please write at most 1,000 characters."],
        "nothing_to_erase":            ["PT404", "This company has no waiver that was signed with your email address."],
        "too_many_erasure_requests":   ["PT429", "You have sent this company several requests today. Please wait for its answer, or try again tomorrow."],
        "erasure_request_not_found":   ["PT404", "Could not find this request."],
        "erasure_request_answered":    ["PT409", "This request was answered already."],
        "waiver_id_taken":             ["23505", "This waiver id is taken."],
        "storage_quota_reached":       ["PT429", "Too many waivers were signed here today. Please try again later, or tell the company."],
        "waiver_is_final":             ["42501", "A signed waiver is never changed."],
        "head_is_final":               ["42501", "A signed head is never changed."],
        "directory_filter_unknown":    ["PT400", "The directory knows no such order or state."]
    }$$);
grant execute on function waivers.refuse to public;

-- Refuses every row that its trigger is called for. The argument of the trigger is the code of the refusal.
create or replace function waivers.refuse_row() returns trigger
    language plpgsql as $$
begin
    perform waivers.refuse(tg_argv[0]);
end
$$;
grant execute on function waivers.refuse_row to public;
