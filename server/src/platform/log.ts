import { type DestinationStream, type Logger, pino } from 'pino';

export interface Log extends Logger {
  /** Writes the line of a request, at level info. */
  readonly request: (line: RequestLine) => void;
}

/** What the line of a request tells, in this order. What is undefined is left out. */
export interface RequestLine {
  readonly reqId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly address: string;
  readonly tenant: string | undefined;
  readonly subject: string | undefined;
  /** Of the error that was answered. */
  readonly code: string | undefined;
}

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
  const timestamp = timeField();
  const log = pino({ level, base, timestamp, serializers: { err: presentError } }, to);
  const start = `{"level":${log.levels.values['info']}`;
  const bindings = worker === undefined ? '' : `,"worker":${worker}`;
  const request = (line: RequestLine) => {
    if (!log.isLevelEnabled('info')) return;
    // The text that pino would make, which goes through the fields of an object that may be any.
    const fields = JSON.stringify(line).slice(1, -1);
    to.write(`${start}${timestamp()}${bindings},${fields},"msg":"request"}\n`);
  };
  return Object.assign(log, { request });
}

/** Of what libraries add to their errors, the names: PostgreSQL also tells the whole row that it refused. */
const NAMES_IN_ERRORS = ['code', 'table', 'column', 'constraint', 'syscall', 'address', 'port'];

/** An error with the chain of its causes, which is in the message and the stack. */
function presentError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack, ...more } = pino.stdSerializers.err(error);
  const named = Object.entries(more).filter(([name]) => NAMES_IN_ERRORS.includes(name));
  const errors = error instanceof AggregateError ? { errors: error.errors.map(presentError) } : {};
  return { type, message, stack, ...Object.fromEntries(named), ...errors };
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
  shared ??= gathering(
    pino.destination({ fd: STANDARD_OUTPUT, sync: true, maxWrite: LONGEST_WRITE_BYTES }),
  );
  return shared;
}

/** Keeps lines back until there are some. The destination could, and would measure all it keeps with each line. */
function gathering(destination: ReturnType<typeof pino.destination>): DestinationStream {
  let lines = '';
  let bytes = 0;

  function flushSync(): void {
    const text = lines;
    lines = '';
    bytes = 0;
    if (text !== '') destination.write(text);
    destination.flushSync();
  }

  setInterval(flushSync, LATEST_MS).unref();
  // However the process ends, but for a signal that nothing can hold up.
  process.once('exit', flushSync);
  const to = {
    write(line: string): void {
      const length = Buffer.byteLength(line);
      if (bytes + length > LONGEST_WRITE_BYTES) flushSync();
      lines += line;
      bytes += length;
      if (bytes >= BUFFER_BYTES) flushSync();
    },
    // As pino calls them.
    flush: (done?: () => void) => {
      flushSync();
      done?.();
    },
    flushSync,
  };
  return to;
}
