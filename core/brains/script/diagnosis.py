"""The scripted sonnet: it looks into a failure, and mends what is only a wrong name (seed 002).

Deterministic, and it invents nothing: it compares the name a step gives with the names that are
there. One that is clearly meant is the correction; anything else is for a human.
"""

from difflib import SequenceMatcher
from pathlib import PurePosixPath
from typing import Final

from core.brains.tasks import Diagnosis, DiagnosisRequest

LIKENESS_MIN: Final = 0.75  # of two stems that mean the same file


def diagnose(request: DiagnosisRequest) -> Diagnosis:
    """Find the document that was meant. The same request gives the same findings."""
    if request.category != "prerequisite_failure" or not request.missing:
        return Diagnosis(False, "There is nothing here that I can put right by myself.")
    document = _document_meant(request)
    if document is None:
        listed = ", ".join(request.there) or "nothing"
        return Diagnosis(False, f"{request.missing} is not there. What is there: {listed}.")
    return Diagnosis(
        True,
        f"The step names {request.missing}, which is not there. The file is {document}, "
        "so I corrected the reference and carried the step out again.",
        ((request.missing, document),),
    )


def _document_meant(request: DiagnosisRequest) -> str | None:
    """The one candidate by the first of these signs that only one has.

    What we wrote is meant only where it is called so: any document of that kind is not ours.
    """
    missing, wanted = request.missing, PurePosixPath(request.missing)
    for sign in (
        lambda name: name.casefold() == missing.casefold(),
        lambda name: PurePosixPath(name).stem.casefold() == wanted.stem.casefold(),
        lambda name: _alike(PurePosixPath(name).stem, wanted.stem),
        lambda name: PurePosixPath(name).suffix == wanted.suffix and name not in request.ours,
    ):
        names = [name for name in request.there if sign(name)]
        if len(names) == 1:
            return names[0]
    return None


def _alike(one: str, other: str) -> bool:
    return SequenceMatcher(None, one.casefold(), other.casefold()).ratio() >= LIKENESS_MIN
