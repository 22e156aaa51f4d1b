import { isatty } from 'node:tty';
import { type DestinationStream, type Logger, pino } from 'pino';
import { readableLine } from './readable-log.ts';

export interface Log extends Logger {
  /** Writes the log line of a request, at level info. */
  readonly request: (line: RequestLine) => void;
}

/** Fields of a request's log line, in this order. Undefined ones are omitted. */
export interface RequestLine {
  readonly reqId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly address: string;
  readonly tenant: string | undefined;
  readonly subject: string | undefined;
  /** Code of the error that was answered. */
  readonly code: string | undefined;
}

const STANDARD_OUTPUT = 1;
const BUFFER_BYTES = 3072;
/** Workers share a pipe, which keeps writes atomic up to this size (PIPE_BUF). */
const LONGEST_WRITE_BYTES = 4096;
/** Maximum delay until a line is written. */
const LATEST_MS = 100;

/**
 * One JSON object per line, on standard output unless `to` is given. JSON escapes control characters. Requests, headers
 * and bodies are never logged as a whole: each call names the fields it logs.
 * @param worker number of this process among the workers
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
    // The same text as pino's, which handles arbitrary objects.
    const fields = JSON.stringify(line).slice(1, -1);
    to.write(`${start}${timestamp()}${bindings},${fields},"msg":"request"}\n`);
  };
  return Object.assign(log, { request });
}

/** Fields that libraries add to errors, by name: PostgreSQL also includes the whole row that it rejected. */
const NAMES_IN_ERRORS = ['code', 'table', 'column', 'constraint', 'syscall', 'address', 'port'];

/** An error with its chain of causes, in the message and the stack. */
function presentError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack, ...more } = pino.stdSerializers.err(error);
  const named = Object.entries(more).filter(([name]) => NAMES_IN_ERRORS.includes(name));
  const errors = error instanceof AggregateError ? { errors: error.errors.map(presentError) } : {};
  return { type, message, stack, ...Object.fromEntries(named), ...errors };
}

/** The time in pino's format, formatted once per millisecond. */
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

/**
 * Standard output, several lines at a time: a write for each line costs as much as formatting it. A terminal gets
 * readable lines instead of JSON.
 */
export function standardOutput(): DestinationStream {
  shared ??= gathering(
    pino.destination({ fd: STANDARD_OUTPUT, sync: true, maxWrite: LONGEST_WRITE_BYTES }),
    isatty(STANDARD_OUTPUT) ? readableLine : (line) => line,
  );
  return shared;
}

/** Buffers lines. The destination could do so too, but measures its whole buffer with each line. */
function gathering(
  destination: ReturnType<typeof pino.destination>,
  format: (line: string) => string,
): DestinationStream {
  let lines = '';
  let bytes = 0;

  function flushSync(): void {
    const text = lines;
    lines = '';
    bytes = 0;
    // It is written when this returns. The destination's own `flushSync` would also wait for the disk.
    if (text !== '') destination.write(text);
  }

  setInterval(flushSync, LATEST_MS).unref();
  // However the process ends, except by an uncatchable signal.
  process.once('exit', flushSync);
  const to = {
    write(line: string): void {
      const text = format(line);
      const length = Buffer.byteLength(text);
      if (bytes + length > LONGEST_WRITE_BYTES) flushSync();
      lines += text;
      bytes += length;
      if (bytes >= BUFFER_BYTES) flushSync();
    },
    // Named as pino calls them.
    flush: (done?: () => void) => {
      flushSync();
      done?.();
    },
    flushSync,
  };
  return to;
}
