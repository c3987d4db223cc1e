"""Defines the errors that the functions themselves raise."""

from cairn.kit import Problem


class EmailParametersMissing(Problem):
    status, code = 400, "email_parameters_missing"
    message = "Missing required email parameters: to, subject, and body are required"


class EmailParametersInvalid(Problem):
    status, code = 400, "email_parameters_invalid"
    message = "The parameter {field} cannot be used: {reason}"


class RecipientInvalid(Problem):
    status, code = 400, "recipient_invalid"
    message = "This email address cannot be used: {reason}"


class OnlyCompaniesSend(Problem):
    status, code = 403, "only_companies_send"
    message = "Only a company account can send email."


class OnlyCompaniesConnectServices(Problem):
    status, code = 403, "only_companies_connect"
    message = "Only a company account can connect other services."


class OnlyCompaniesExport(Problem):
    status, code = 403, "only_companies_export"
    message = "Only a company account can export signed heads. Please sign in to the account of your company."


class AddressNotProven(Problem):
    status, code = 403, "address_not_proven"
    message = "Please verify your email address first. Then sign in again."


class TooManyExports(Problem):
    status, code = 429, "too_many_exports"
    message = "You have just downloaded your data. Please try again in {minutes} minutes."


class CompanySuspended(Problem):
    status, code = 403, "company_suspended"
    message = (
        "Your company is suspended, so nothing can be sent or changed. All records stay readable. "
        "Please contact support."
    )


class OnlyOwnersExport(Problem):
    status, code = 403, "only_owners_export"
    message = "Only the owner of a company, who created its account, can export it."


class TooManyCompanyExports(Problem):
    status, code = 429, "too_many_company_exports"
    message = "You have exported your company several times today. Please try again in {hours} hours."


class SessionNotYours(Problem):
    status, code = 403, "session_not_yours"
    message = "This waiver session does not exist or belongs to another company."


class WaiverLinkExpired(Problem):
    status, code = 410, "waiver_link_expired"
    message = "The link of this waiver has expired, so it was not sent. Send the waiver again to get a new link."


class WaiverWasCancelled(Problem):
    status, code = 410, "waiver_was_cancelled"
    message = "This waiver was cancelled, so it was not sent. Please send a new one."


class PdfNeedsSession(Problem):
    status, code = 400, "pdf_needs_session"
    message = "An interactive PDF is made for one recipient: sessionId is required."


class ParametersTooLarge(Problem):
    status, code = 413, "parameters_too_large"
    message = "The parameters are larger than 256 kB."


class ParametersInvalid(Problem):
    status, code = 400, "parameters_invalid"
    message = "The parameter {field} cannot be used: {reason}"


class CharacterUnusable(Problem):
    status, code = 400, "character_unusable"
    message = "The parameter {field} contains a character that cannot be stored. Please type the text again."


class MessageNeedsConfirmedAddress(Problem):
    status, code = 403, "message_needs_confirmed_address"
    message = (
        "Please confirm your email address before you send a text of your own. Until then, send the waiver from its "
        "template without a message."
    )


class PdfNeedsConfirmedAddress(Problem):
    status, code = 403, "pdf_needs_confirmed_address"
    message = "Please confirm your email address before you send a waiver as a PDF. Until then, send it as a link."


class TooManyTestEmails(Problem):
    status, code = 429, "too_many_tests"
    message = "You have sent {limit} test emails within an hour. Please wait a little."


class WaiverEmailedTooOften(Problem):
    status, code = 409, "waiver_emailed_too_often"
    message = "Too many emails about this waiver were sent already. Please send a new waiver instead."


class TooManyDocuments(Problem):
    status, code = 429, "too_many_documents"
    message = (
        "Your network has requested or verified many documents within a minute. Please try again in "
        "{retry_after_seconds} seconds."
    )


class TooManyWaiting(Problem):
    status, code = 503, "too_many_waiting"
    message = "Many documents are being prepared at the moment. Please try again in {retry_after_seconds} seconds."


class TooManyLookUps(Problem):
    status, code = 429, "too_many_look_ups"
    message = (
        "Your network has looked up many waivers within a minute. Please try again in {retry_after_seconds} seconds."
    )


class EmailNotDelivered(Problem):
    status, code = 502, "email_not_delivered"
    message = "{reason}"


class TooManyCopies(Problem):
    status, code = 429, "too_many_copies"
    message = "Too many copies were requested from your network today. Please download your copy."


class InvitationNotFound(Problem):
    status, code = 404, "invitation_not_found"
    message = "This link was not made with your waiver, or it can no longer be signed."


class InvitationAlreadySent(Problem):
    status, code = 409, "invitation_already_sent"
    message = "This link was sent already. To send it to someone else, please add the person again."


class InvitationNotPossible(Problem):
    status, code = 409, "invitation_not_possible"
    message = "The link cannot be sent from here at present. Please show the code or copy the link instead."


class TooManyInvitations(Problem):
    status, code = 429, "too_many_invitations"
    message = "Too many links were sent from here today. Please show the code or copy the link instead."


class TextsNotOffered(Problem):
    status, code = 400, "texts_not_offered"
    message = "Text messages are not offered here: no SMS gateway is configured."


class PhoneNumberInvalid(Problem):
    status, code = 400, "number_invalid"
    message = "This phone number cannot be used. Please write it with its country, such as +1 212 555 0123."


class TextNeedsSession(Problem):
    status, code = 400, "text_needs_session"
    message = "A text message is sent for one recipient: sessionId is required."
