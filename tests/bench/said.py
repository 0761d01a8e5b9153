"""What people say in the bench where it matters that no two say the same: rows are stored packed,
and a row in which the same sentence stands twice would flatter the figure."""

from typing import Final

ANSWERS: Final = (
    "Finance exports the revenue dashboard as PDF at the end of each month, about 40 people, at "
    "most 20 pages; it must be done within 30 seconds and look the same as on the screen, with the "
    "filters named on page 1.",
    "Support has searched the old tickets: in spring somebody asked for a CSV of the same numbers "
    "and got a script that nobody maintains. It breaks whenever a column is renamed, last time "
    "three weeks ago on a Friday.",
    "I would guess around twelve files, most of them in the reporting service and two in the "
    "frontend. The renderer is shared with invoices, so whoever touches it should run their "
    "nightly suite as well, to be safe.",
    "The auditors want one document per quarter that cannot be altered afterwards. Today Maria "
    "takes screenshots, pastes them into a letter and signs that; she needs half a day and has "
    "twice left out a region unnoticed.",
    "Controllers open it on a laptop while travelling, often with a bad connection. They would "
    "rather wait for a mail with a link than look at a spinner, and they hardly ever print more "
    "than the opening summary.",
    "First they choose the period, then drop regions that are still being corrected, then export. "
    "Whoever comes back later expects the same choice to be there. Nobody wants to be asked for a "
    "file name before saving.",
    "Charts are drawn in the browser by a library that has no server side. Numbers come from "
    "Postgres through a cache of ten minutes. We may not add another database, and Kubernetes "
    "gives each pod only 512 MB of memory.",
    "It hurts most if totals in the file differ from those on the screen, because the board "
    "compares both. A leaked link would be worse than a late one. Logs are kept ninety days, "
    "personal data must not be in them.",
    "One button labelled Export, one job in the background, one mail when it is ready. No "
    "templates, no scheduling and no colours of one's own for now; an editor for layouts was "
    "promised to Sales, but for next year only.",
    "As a controller I want the month as one file so that I can hand it to the bank without "
    "explaining our tool. As an auditor I want the date and the author on every page so that I "
    "know which state I am looking at.",
    "Without identical totals we do not ship at all. The mail could wait if we run late, people "
    "may reload instead. Footers with page numbers are nice, the table of contents is something "
    "we would give up without a tear.",
    "Everyone who uses the shared renderer is concerned: invoices, the weekly digest and an "
    "internal page for Legal. If rendering blocks, invoices go out late, which Customer Success "
    "hears about within the same hour.",
    "I would begin in the job queue, where the digest already creates files, and leave the "
    "controller of the dashboard alone. The endpoint that answers with JSON stays; a second route "
    "hands out the finished document.",
    "Fonts were the trouble before: on the build machine a glyph for the rupee was missing and "
    "nobody saw it until a customer in Pune complained. Memory is a worry too, a year of daily "
    "values has grown to 200 MB once.",
    "Altogether it is a contained change with a single dangerous spot, the renderer. We take it "
    "back by switching the flag off; files made until then may remain. Operations should know the "
    "day before we turn it on again.",
    "Either a headless browser prints the real page, slow but faithful, or we draw charts anew "
    "with a library on the server, fast but never quite alike. A vendor's service is out because "
    "figures would leave the network.",
    "We take the headless browser, pinned to one version, in a worker of its own. Python stays "
    "for the job, since the team knows it. What would be hard to undo is the archive format, so "
    "that shall be plain PDF/A files.",
    "The job asks the dashboard's own API with a token of the person who clicked, therefore "
    "permissions need no second place. While the mail gateway is down we retry for an hour, and "
    "the download page works regardless.",
    "Olga from Security and Ben from Operations have both looked at it and agree, provided that "
    "the worker has no route to the internet. Capacity is fine up to fifty exports an hour, which "
    "is triple what we expect.",
    "Three parts: one that accepts the wish and checks who is asking, one that renders, one that "
    "delivers and cleans up. Only the first decides anything; the others can be killed at any "
    "moment and simply begin from scratch.",
    "POST /exports with period and regions gives back 202 and an id. GET /exports/{id} says "
    "queued, rendering, ready or failed, with a link when there is something. An unknown region "
    "is 422 and names the wrong value.",
    "An export holds who, when, which filters, a checksum and the place of its file. Rows are "
    "kept seven years, files only thirty days and can be made once more from the same figures, "
    "because closed months never change.",
    "If rendering takes longer than two minutes it is stopped and tried once again at night. The "
    "person reads that it will come by tomorrow morning and whom to call. Half a file is never "
    "shown, not even for debugging.",
    "Reads well to me. Please write down that the flag goes away in March, that Priya owns the "
    "worker from then on, and that we look at the costs after four weeks; otherwise there is "
    "nothing left that I would hold up.",
)
"""As long as an answer is on average, about 210 characters: one to each step of an analysis."""
