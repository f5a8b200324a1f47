"""PDF as another program reads it."""

import io

from pypdf import PdfReader


def pages_of(written: bytes) -> list[str]:
    """Return the words of every page, with one space between them."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(written)).pages]


def words_of(written: bytes) -> str:
    return " ".join(pages_of(written))
