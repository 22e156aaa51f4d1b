import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

const STANDARD_OUTPUT = 1;
const BUFFER_BYTES = 3072;
/** Workers share a pipe, which keeps in one piece what is written at once and not longer (PIPE_BUF). */
const LONGEST_WRITE_BYTES = 4096;
/** A line is written no later than this after it was logged. */
const LATEST_MS = 100;

/**
 * One JSON object a line, on standard output unless `to` says otherwise. Control characters are escaped by
 * JSON. Requests, headers and bodies are never logged whole: each place names the fields it logs.
 * @param worker the number of this process among those that serve together
 */
export function createLog(
  level: string,
  to: DestinationStream = standardOutput(),
  worker?: number,
): Log {
  const base = worker === undefined ? null : { worker };
  return pino({ level, base, timestamp: timeField() }, to);
}

/** The time as pino writes it, made once for all lines of a millisecond. */
function timeField(): () => string {
  let at = 0;
  let field = '';
  return () => {
    const now = Date.now();
    if (now !== at) field = `,"time":"${new Date(now).toISOString()}"`;
    at = now;
    return field;
  };
}

let shared: DestinationStream | undefined;

/** Standard output, several lines at a time: a write for each line costs as much as making it. */
export function standardOutput(): DestinationStream {
  if (shared) return shared;
  const destination = pino.destination({
    fd: STANDARD_OUTPUT,
    sync: true,
    minLength: BUFFER_BYTES,
    maxWrite: LONGEST_WRITE_BYTES,
    periodicFlush: LATEST_MS,
  });
  // However the process ends, but for a signal that nothing can hold up.
  process.once('exit', () => destination.flushSync());
  shared = destination;
  return destination;
}
