"""Checks an evidence pack with nothing but docs/evidence-format.md: this file imports nothing of the product.

    python tests/independent_verifier.py PACK.zip --certificate service.pem

It prints each contradiction in one line, and its exit code is 0 only if there is none. The certificate must come from
somewhere else than the pack, because someone who replaces everything in a pack can replace its certificates too.
"""

import argparse
import hashlib
import io
import json
import re
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pikepdf
from asn1crypto import cms, tsp  # noqa: F401 - tsp defines attributes, and asn1crypto reads them only once
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID

Pack = Mapping[str, bytes]
Certificates = Sequence[x509.Certificate]
Check = Callable[[Pack, Certificates], None]

RECORD_FIELDS = {
    1: ["content", "signer_name", "signer_email", "signature"],
    2: [
        "content", "signer_name", "signer_email", "signature", "template_name", "company_name", "consent_version",
        "consent_language", "consent_text", "consented_at", "signed_at", "time_zone", "strokes",
    ],
    3: [
        "record_version", "id", "session_id", "company_id", "company_name", "template_id", "template_name",
        "template_version", "content", "signer_name", "signer_email", "signature", "strokes", "signed_at", "time_zone",
        "ip", "user_agent", "consent_version", "consent_language", "consent_text", "consented_at", "first_viewed_at",
        "last_viewed_at", "scroll_depth",
    ],
}  # fmt: skip
RECORD_FIELDS[4] = [*RECORD_FIELDS[3], "form", "initials", "guardian"]
PERSON_FIELDS = ["id", "number", "takes_part", "name", "birth_date", "kind", "answers", "signature", "sensitive_sha256"]
PUBLIC_KEYS = {
    "waiver_id", "email_id", "text_id", "replaces", "replaced_by", "superseded_by", "record_sha256", "document_sha256",
    "certificate_sha256", "history_sha256",
}  # fmt: skip
ABOUT_A_WAIVER = ("document.", "evidence.", "hold.", "waiver.")
HEAD_FIELDS = ["company", "number", "previous", "time", "sessions", "waivers", "events", "entries", "root"]
HEAD_TITLE = "cairn head 1"
PACK_FORMAT = "cairn evidence pack 1"
REQUIRED = ["record.json", "events.json", "text.md", "signature.txt", "head.json", "manifest.json", "manifest.sig"]


class Contradiction(Exception):
    """The pack contradicts itself. The message says where."""


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def record_hash(record: Mapping[str, Any]) -> bytes:
    """`record` has the fields of one of the lists in `RECORD_FIELDS`, with times and strokes as text."""
    version = record["record_version"]
    missing_field = bytes(32) if version >= 3 else sha256(b"")
    fields = hashes_of((record[name] for name in RECORD_FIELDS[version]), missing_field)
    return sha256(fields + b"".join(participant_hash(participant) for participant in record.get("participants", [])))


def participant_hash(participant: Mapping[str, Any]) -> bytes:
    answers, expected = participant["sensitive_answers"], participant["sensitive_sha256"]
    if answers and sha256(canonical_hex(participant["sensitive_salt"]) + answers.encode()).hex() != expected:
        raise Contradiction("The sensitive answers of a participant were changed.")
    return sha256(hashes_of(participant[name] for name in PERSON_FIELDS))


def hashes_of(values: Iterable[Any], missing_field: bytes = bytes(32)) -> bytes:
    texts = (value if value is None or isinstance(value, str) else json.dumps(value) for value in values)
    return b"".join(missing_field if text is None else sha256(text.encode()) for text in texts)


def event_hash(session_id: str, event: Mapping[str, Any]) -> bytes:
    """`event` has the fields of an event in `events.json`."""
    text = "\n".join([session_id, event["name"], details_line(event), event["at"]])
    return sha256((bytes.fromhex(event["previous"]) if event["previous"] else b"") + text.encode())


def details_line(event: Mapping[str, Any]) -> str:
    """Returns the line about the details in the hashed text of an event."""
    details = event["details"]
    if event["version"] == 1:
        return jsonb_text(details)
    if event["version"] == 2:
        return removed_hash(event, details).hex()
    # In an erased event, the hash must cover all details that are left.
    public = {key: details[key] for key in details if key in PUBLIC_KEYS or event["is_erased"]}
    private = {key: details[key] for key in details if key not in public}
    return "3 " + sha256(sha256(jsonb_text(public).encode()) + removed_hash(event, private)).hex()


def removed_hash(event: Mapping[str, Any], removable: Mapping[str, Any]) -> bytes:
    """Returns the hash of the details that an erasure removes, or has removed."""
    if event["is_erased"]:
        return canonical_hex(event["details_sha256"])
    return sha256(canonical_hex(event["salt"]) + jsonb_text(removable).encode())


def jsonb_text(value: Any) -> str:
    """Writes JSON as PostgreSQL writes jsonb: shorter keys first, and a space after each comma and colon."""
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: (len(key.encode()), key.encode()))
        return "{" + ", ".join(f"{jsonb_text(key)}: {jsonb_text(value[key])}" for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(jsonb_text(element) for element in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def head_text(head: Mapping[str, Any]) -> str:
    return "\n".join([HEAD_TITLE, *(f"{name} {head[name]}" for name in HEAD_FIELDS)]) + "\n"


def parse_head(text: str) -> dict[str, str]:
    fields = dict(line.split(" ", 1) for line in text.splitlines()[1:] if " " in line)
    if list(fields) != HEAD_FIELDS or head_text(fields) != text:
        raise Contradiction("The text of the head does not have the form that the format describes.")
    return fields


def root_from_path(current: bytes, path: Sequence[Sequence[str]]) -> bytes:
    for side, sibling in path:
        other = canonical_hex(sibling)
        current = sha256(b"\x01" + (other + current if side == "left" else current + other))
    return current


def canonical_hex(text: str) -> bytes:
    """Accepts only lower-case hexadecimal, so that two different texts never mean the same bytes."""
    if not re.fullmatch("([0-9a-f]{2})*", text):
        raise Contradiction("A hash or signature is not written in lower-case hexadecimal.")
    return bytes.fromhex(text)


def is_signed_by(certificate: x509.Certificate, signature: bytes, data: bytes) -> bool:
    key = certificate.public_key()
    try:
        if isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(signature, data, ec.ECDSA(hashes.SHA256()))
        elif isinstance(key, rsa.RSAPublicKey):
            key.verify(signature, data, padding.PKCS1v15(), hashes.SHA256())
    except InvalidSignature:
        return False
    return isinstance(key, ec.EllipticCurvePublicKey | rsa.RSAPublicKey)


def find_certificate(fingerprint: str, trusted: Certificates) -> x509.Certificate:
    for certificate in trusted:
        if certificate.fingerprint(hashes.SHA256()).hex() == fingerprint:
            return certificate
    raise Contradiction(f"The certificate {fingerprint} is not trusted.")


def findings(pack: Pack, trusted: Certificates, *, with_manifest: bool = True) -> list[str]:
    """Returns what is wrong with the pack. Without `with_manifest`, everything except the manifest is checked."""
    checks: list[Check] = [check_manifest, check_record, check_events, check_document, check_head]
    return [finding for check in checks[not with_manifest :] for finding in run_check(check, pack, trusted)]


def run_check(check: Check, pack: Pack, trusted: Certificates) -> Iterator[str]:
    try:
        check(pack, trusted)
    except Contradiction as contradiction:
        yield str(contradiction)
    except Exception as error:
        yield f"A file of the pack is missing or cannot be read ({type(error).__name__}: {error})."


def check_manifest(pack: Pack, trusted: Certificates) -> None:
    if missing := [name for name in REQUIRED if name not in pack]:
        raise Contradiction(f"The pack has no file {', '.join(missing)}.")
    manifest, signature_line = json.loads(pack["manifest.json"]), pack["manifest.sig"].decode("ascii")
    if not signature_line.endswith("\n"):
        raise Contradiction("The signature of the manifest was changed.")
    signature = canonical_hex(signature_line[:-1])
    if not is_signed_by(find_certificate(manifest["certificate"], trusted), signature, pack["manifest.json"]):
        raise Contradiction("The manifest was changed: its signature is wrong.")
    if manifest["format"] != PACK_FORMAT:
        raise Contradiction("The manifest has another format.")
    actual = {name: sha256(content).hex() for name, content in pack.items() if not name.startswith("manifest.")}
    for name in sorted(actual.keys() | manifest["files"].keys()):
        if actual.get(name) != manifest["files"].get(name):
            raise Contradiction(f"The file {name} was added, removed or changed.")


def read_record(pack: Pack) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(pack["record.json"])
    return {
        **record,
        **(json.loads(pack["form.json"]) if record["record_version"] > 3 else {}),
        "content": pack["text.md"].decode(),
        "signature": pack["signature.txt"].decode(),
        "strokes": pack["strokes.json"].decode() if "strokes.json" in pack else None,
    }


def check_record(pack: Pack, _trusted: Certificates) -> None:
    record = read_record(pack)
    if record_hash(record).hex() != record["record_sha256"]:
        raise Contradiction("The signed record was changed: its fields do not have the recorded hash.")


def check_events(pack: Pack, _trusted: Certificates) -> None:
    record, events = json.loads(pack["record.json"]), json.loads(pack["events.json"])
    previous = None
    for number, event in enumerate(events, start=1):
        if event["previous"] != previous:
            raise Contradiction(f"The event before event {number} is missing or was changed.")
        check_event_fields(number, event)
        is_hash_unverifiable = event["version"] == 1 and event["is_erased"]
        if not is_hash_unverifiable and canonical_hex(event["hash"]) != event_hash(record["session_id"], event):
            raise Contradiction(f"Event {number} was changed.")
        check_erasure(number, event, events[number:])
        previous = event["hash"]
    check_upgrade(record["session_id"], events)
    check_signed_events(events, record["id"])
    named = {"waiver_id": record["id"], "record_sha256": record["record_sha256"]}
    if (signed := find_event(events, "waiver.signed", named)) is None:
        raise Contradiction("The event of the signature is missing or names another record.")
    if abs(datetime.fromisoformat(signed["at"]) - datetime.fromisoformat(record["signed_at"])) > timedelta(minutes=15):
        raise Contradiction("The record has another time than the event of the signature.")
    sealed = {"waiver_id": record["id"], "document_sha256": record["document_sha256"]}
    if record["document_sha256"] is not None and not find_event(events, "document.sealed", sealed):
        raise Contradiction("The event of the seal is missing or names another document.")


def check_event_fields(number: int, event: Mapping[str, Any]) -> None:
    """An event of version 1 has no salt until its history is upgraded."""
    version, is_erased, has_salt = event["version"], event["is_erased"], event["salt"] is not None
    if version not in (1, 2, 3) or is_erased not in (True, False):
        raise Contradiction(f"Event {number} has an unknown form.")
    if (has_salt == is_erased and (version > 1 or has_salt)) or (event["details_sha256"] is not None) != is_erased:
        raise Contradiction(f"Event {number} has a salt or a hash too many or too few.")


def check_upgrade(session_id: str, events: Sequence[Mapping[str, Any]]) -> None:
    """The hash of an erased event of version 1 cannot be checked, so `session.upgraded` must commit to these events."""
    old = [event for event in events if event["version"] == 1]
    start = next((number for number, event in enumerate(events) if event["name"] == "session.upgraded"), len(events))
    if start == len(events) and not any(event["is_erased"] or event["salt"] for event in old):
        return
    hashes_of_old = (canonical_hex(event["hash"]) + event_hash(session_id, {**event, "version": 3}) for event in old)
    expected = {"history_sha256": sha256(b"".join(hashes_of_old)).hex()}
    is_erased_before = any(event["name"] == "waiver.erased" for event in events[:start])
    if is_erased_before or old != events[: len(old)] or expected not in [event["details"] for event in events[start:]]:
        raise Contradiction("The events of version 1 are not those to which the event session.upgraded commits.")


def check_erasure(number: int, event: Mapping[str, Any], later_events: Sequence[Mapping[str, Any]]) -> None:
    """Details can be missing only because another waiver of the same session was erased later."""
    if not event["is_erased"]:
        return
    erasures = [later for later in later_events if later["name"] == "waiver.erased" and not later["is_erased"]]
    if "waiver_id" in event["details"] or event["name"].startswith(ABOUT_A_WAIVER):
        erasures = [later for later in erasures if later["details"]["waiver_id"] == event["details"].get("waiver_id")]
    elif event["version"] > 2:
        erasures = [later for later in erasures if number in later["details"]["erased_events"]]
    if not erasures:
        raise Contradiction(f"The details of event {number} were removed, but no waiver was erased after it.")


def check_signed_events(events: Sequence[Mapping[str, Any]], record_id: str) -> None:
    """No waiver may be signed, sealed or erased twice, and each erased waiver must be another one of this session."""
    for name in ("waiver.signed", "document.sealed", "waiver.erased"):
        waiver_ids = [event["details"]["waiver_id"] for event in events if event["name"] == name]
        if len(waiver_ids) != len(set(waiver_ids)):
            raise Contradiction(f"An event {name} is in the history twice.")
    signed = named_records(event for event in events if event["name"] == "waiver.signed" and event["is_erased"])
    erased = named_records(event for event in events if event["name"] == "waiver.erased")
    if not erased <= signed or record_id in dict(erased):
        raise Contradiction("The history says that a waiver was erased, but that waiver was not.")


def named_records(events: Iterable[Mapping[str, Any]]) -> set[tuple[str, str]]:
    return {(event["details"]["waiver_id"], event["details"]["record_sha256"]) for event in events}


def find_event(events: Sequence[Mapping[str, Any]], name: str, details: Mapping[str, Any]) -> Mapping[str, Any] | None:
    named = (event for event in events if event["name"] == name and not event["is_erased"])
    return next((event for event in named if details.items() <= event["details"].items()), None)


def check_document(pack: Pack, trusted: Certificates) -> None:
    record = json.loads(pack["record.json"])
    if record["document_sha256"] is None and "waiver.pdf" not in pack:
        return
    pdf = pack["waiver.pdf"]
    if sha256(pdf).hex() != record["document_sha256"]:
        raise Contradiction("The document is not the one that was stored.")
    check_seal(pdf, trusted)
    with pikepdf.open(io.BytesIO(pdf)) as document:
        keywords = str(document.docinfo.get("/Keywords", ""))
    if f"waiver:{record['id']} record:{record['record_sha256']}" not in keywords:
        raise Contradiction("The document belongs to another record.")


def check_seal(pdf: bytes, trusted: Certificates) -> None:
    """Checks the PAdES signature: it must cover the whole file except the gap that contains the signature itself."""
    ranges = re.findall(rb"/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]", pdf)
    start, gap_start, gap_end, rest = (int(number) for number in ranges[-1])
    gap = pdf[gap_start:gap_end]
    if start != 0 or gap_end + rest != len(pdf) or gap[:1] != b"<" or gap[-1:] != b">":
        raise Contradiction("The seal does not cover the whole document.")
    signed_data = cms.ContentInfo.load(bytes.fromhex(gap[1:-1].decode("ascii")))["content"]
    signer = signed_data["signer_infos"][0]
    attributes = {attribute["type"].native: attribute["values"][0].native for attribute in signer["signed_attrs"]}
    if attributes["message_digest"] != sha256(pdf[:gap_start] + pdf[gap_end:]):
        raise Contradiction("The document was changed after it was sealed.")
    embedded = {sha256(choice.chosen.dump()).hex() for choice in signed_data["certificates"]}
    certificates = [item for item in trusted if item.fingerprint(hashes.SHA256()).hex() in embedded]
    signed_bytes = signer["signed_attrs"].untag().dump()
    if not any(is_signed_by(item, signer["signature"].native, signed_bytes) for item in certificates):
        raise Contradiction("The seal of the document was not made by this service.")


def check_head(pack: Pack, trusted: Certificates) -> None:
    record, events, proof = (json.loads(pack[name]) for name in ("record.json", "events.json", "head.json"))
    head, text, entry = parse_head(proof["text"]), proof["text"].encode(), proof["entry"]
    if not is_signed_by(find_certificate(proof["certificate"], trusted), canonical_hex(proof["signature"]), text):
        raise Contradiction("The head was changed: its signature is wrong.")
    if head["company"] != (record["company_id"] or "none"):
        raise Contradiction("The head belongs to another company.")
    leaf = sha256(b"\x00" + f"{entry['session']}\n{entry['events']}\n{entry['hash']}".encode())
    if root_from_path(leaf, proof["path"]).hex() != head["root"]:
        raise Contradiction("The history of this waiver is not part of the head.")
    if entry["session"] != record["session_id"]:
        raise Contradiction("The head names another session.")
    if len(events) != entry["events"]:
        raise Contradiction(f"The head covers {entry['events']} events, but the history has {len(events)}.")
    if events[-1]["hash"] != entry["hash"]:
        raise Contradiction("The history was replaced: its last event is not the one in the head.")
    check_timestamp(proof["timestamp"], sha256(text), datetime.fromisoformat(head["time"]))


def check_timestamp(timestamp: Mapping[str, Any], digest: bytes, signed_at: datetime) -> None:
    if timestamp in [{"status": status, "token": None, "at": None} for status in ("none", "pending")]:
        return
    if timestamp["status"] != "confirmed":
        raise Contradiction("The head has an unknown kind of timestamp, or claims a time without one.")
    signed_data = cms.ContentInfo.load(canonical_hex(timestamp["token"]))["content"]
    content = signed_data["encap_content_info"]["content"]
    imprint = content.parsed["message_imprint"]
    if imprint["hash_algorithm"]["algorithm"].native != "sha256" or imprint["hashed_message"].native != digest:
        raise Contradiction("The timestamp belongs to another head.")
    confirmed_at = content.parsed["gen_time"].native
    if confirmed_at != datetime.fromisoformat(timestamp["at"]) or confirmed_at < signed_at - timedelta(minutes=15):
        raise Contradiction("The timestamp confirms another time, or one before the head.")
    signer = signed_data["signer_infos"][0]
    algorithm = signer["digest_algorithm"]["algorithm"].native
    attributes = {attribute["type"].native: attribute["values"][0].native for attribute in signer["signed_attrs"]}
    if attributes["message_digest"] != hashlib.new(algorithm, content.parsed.dump()).digest():
        raise Contradiction("The timestamp was changed.")
    certificates = [x509.load_der_x509_certificate(choice.chosen.dump()) for choice in signed_data["certificates"]]
    authorities = [certificate for certificate in certificates if may_confirm_times(certificate)]
    signed_bytes = signer["signed_attrs"].untag().dump()
    if not any(is_signed_by(item, signer["signature"].native, signed_bytes) for item in authorities):
        raise Contradiction("The timestamp was changed: its signature is wrong.")


def may_confirm_times(certificate: x509.Certificate) -> bool:
    usages = [item.value for item in certificate.extensions if isinstance(item.value, x509.ExtendedKeyUsage)]
    return any(ExtendedKeyUsageOID.TIME_STAMPING in usage for usage in usages)


def read_pack(file: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def main() -> int:
    parser = argparse.ArgumentParser(description="Check an evidence pack.")
    parser.add_argument("pack", type=Path)
    parser.add_argument("--certificate", type=Path, required=True, help="the certificates of the service, as PEM")
    arguments = parser.parse_args()
    trusted = x509.load_pem_x509_certificates(arguments.certificate.read_bytes())
    try:
        pack = read_pack(arguments.pack.read_bytes())
    except (OSError, zipfile.BadZipFile) as error:
        print(f"The pack cannot be read ({error}).")  # noqa: T201 - the program's output
        return 1
    contradictions = findings(pack, trusted)
    print("\n".join(contradictions) or "The document, its record, its history and its head agree.")  # noqa: T201 - see above
    return 1 if contradictions else 0


if __name__ == "__main__":
    sys.exit(main())
