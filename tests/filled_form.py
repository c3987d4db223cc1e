"""Fills in the interactive form of a waiver as a PDF viewer does."""

import io

import pikepdf


def fill_in_pdf(form: bytes, **values: str) -> bytes:
    """Returns the form with `values` in the fields of the same names."""
    filled_pdf = io.BytesIO()
    with pikepdf.open(io.BytesIO(form)) as document:
        for field in document.Root.AcroForm.Fields:
            if str(field.T) in values:
                field.V = pikepdf.String(values[str(field.T)])
        document.save(filled_pdf)
    return filled_pdf.getvalue()
