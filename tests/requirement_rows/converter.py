"""What the converter promises: whatever a file does to its parser, it does to nobody else, and its caller learns what happened."""

from __future__ import annotations

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = (
    *rows(
        "converter: calls",
        {
            "converter.cold": "A process that reads one file imports the libraries of its format and no others.",
            "converter.picture": "A file with surfaces is drawn in one call, under the same measures, and nothing is kept; another file is refused.",
            "converter.mesh": "A file with surfaces is meshed in one call, under the same measures, and nothing is kept; another file is refused, and an answer that is no mesh is a parse error.",
            "converter.lost-connection": "A call over a connection that died without a sign ends long before its time limit, and one that only takes long is waited for.",
            "converter.round-trip": "A file is read, interpreted and sampled by one child that keeps it in between.",
            "converter.phases": "A document in one call comes with what each phase before it found, as soon as that ends, or with the error that ended it.",
            "converter.handle-gone": "A file that is no longer kept is read again without the caller noticing.",
            "converter.kept-bounds": "Kept files are bounded in number, time and memory; the oldest goes first.",
            "converter.queue": "Calls beyond the workers wait, those of one account in order; beyond the queue they are refused at once, and told when they would be served.",
            "converter.start-is-awaited": "A call that does not reach a converter whose start is expected within the time that a call may wait is answered when it is there, and not refused.",
            "converter.retry-holds": "While the converter or its fork server starts again, the Retry-After of calls that are refused ends when it is there, by what its last start took of a processor and how many processes share one now.",
            "converter.small": "A small single file is read beside workers that are all busy, where no other small one is being read: it does not wait for files of many seconds, of its own account or another.",
            "converter.turns": "Accounts take turns: a small file of one is answered after at most one file of another on each worker. Files of batches and of ingest wait beside single calls, and neither class starves the other.",
            "converter.begun": "A file that was read goes before new ones.",
            "converter.waiting-is-free": "Waiting does not count toward the deadline, and a kept file takes no place.",
            "converter.client-gone": "A client that goes away in mid-call ends its child and frees its place.",
            "converter.delegation": "Where a processor is free, a further child does a part of the work on a large model; the document is the same byte for byte, and whatever becomes of the further child, the file's own does the work.",
            "converter.health": "Health tells what runs, waits and is kept, and which measures hold the children.",
        },
    ),
    *rows(
        "converter: failures",
        {
            "converter.crash": "A parser that crashes is a parse_error naming phase and signal.",
            "converter.killed": "A parser that is killed from outside is no fault of its file: it is read once more, then 503 with Retry-After.",
            "converter.optional-parts": "A file that crashes its parser is read once more without its optional parts, within the same deadline.",
            "converter.memory": "A parser over its memory ceiling is a parse_error naming phase and limit.",
            "converter.deadline": "A parser over its deadline is a timeout_error naming phase and seconds; all phases of a file share one deadline, in which waiting for a processor does not count; one that got too little of it is 503 with Retry-After.",
            "converter.staging": "What keeps a call's file from being taken is told by its name: no room, no descriptors, another error. What passes by itself is tried again, and a file is taken whole or not at all.",
            "converter.no-room": "A disk without room for temporary files is 503 with Retry-After, and no fault of the file.",
            "converter.reader-errors": "A reader's own errors pass unchanged; unexpected ones show no internals.",
            "converter.lying-child": "What a child sends is not believed: no length, no form, no silence.",
            "converter.document": "A document that nobody parses on its way is JSON all the same, of the file and the request that it was asked for, and says nothing of usage.",
            "converter.others-unaffected": "Other files in flight do not notice the end of one.",
            "converter.fork-server-death": "A fork server that dies is started again; files of calls in flight are read once more by the next one, and a child has a name of its own.",
            "converter.service-death": "A service that dies is survived by the next call; nothing of it stays behind.",
        },
    ),
    *rows(
        "converter: isolation",
        {
            "converter.no-environment": "A child sees no environment.",
            "converter.no-network": "A child reaches no network and no socket, by each measure alone.",
            "converter.no-descriptors": "A child has its channel, a bounded log and nothing else open.",
            "converter.no-processes": "A child starts no process and reaches none; one it managed to start ends with it.",
            "converter.patterns": "Patterns that one process has compiled are not translated again in the next one, and are the same.",
            "converter.prepared": "Readers are loaded, and taken through a specimen, before the first file comes.",
            "converter.layers": "Children that read drawings and diagrams are forked without the geometry kernel; both layers live and end together, under the same measures.",
            "converter.shared-memory": "What a fork server has loaded stays shared with its children: in huge pages where the kernel makes them, and no table of the geometry kernel's objects grows in a child.",
            "converter.threads": "A child may start threads; the fork server has one.",
        },
    ),
    Row(
        "converter.unprivileged",
        "The measures hold for a service without privileges too.",
        "converter: isolation",
        needs="setpriv",
    ),
    Row(
        "converter.no-files",
        "A child reads no file of ours and writes only in its own folder, which goes with it.",
        "converter: isolation",
        needs="Landlock",
    ),
    *rows(
        "converter: service",
        {
            "converter.file-limit": "A file over the limit is 413, counted on the stream.",
            "converter.requests": "Requests that no client of ours would send are 400 or 404.",
            "converter.socket": "The socket is ours alone; a stale one is replaced, a living one is respected.",
            "converter.tcp": "The service listens on TCP where it is told to.",
            "converter.stop": "SIGTERM lets running calls finish, sends waiting ones away and leaves nothing behind.",
            "converter.client-cancelled": "A call that is cancelled while its answer arrives leaves no error in the event loop.",
            "converter.client": "A client out of reach of the service raises converter_unavailable, whatever it met.",
            "converter.local": "The command line has the same isolation without a server.",
        },
    ),
)
