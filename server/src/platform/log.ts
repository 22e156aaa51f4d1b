import { isatty } from 'node:tty';
import { type DestinationStream, type Logger, pino } from 'pino';
import { LogOutput } from './log-output.ts';
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
  /** Code of the error in the response. */
  readonly code: string | undefined;
}

const STANDARD_OUTPUT = 1;

/**
 * Writes one JSON object per line, to standard output unless `to` is given. JSON escapes control characters. Requests,
 * headers and bodies are never logged as a whole: each call names the fields it logs.
 * @param worker number of this process among the workers
 */
export function openLog(
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
    // Matches pino's output, which handles arbitrary objects.
    const fields = JSON.stringify(line).slice(1, -1);
    to.write(`${start}${timestamp()}${bindings},${fields},"msg":"request"}\n`);
  };
  return Object.assign(log, { request });
}

/**
 * Names of fields that libraries add to errors. Others are omitted: PostgreSQL also includes the whole rejected row.
 */
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

let shared: LogOutput | undefined;

/** Standard output. A terminal gets readable lines instead of JSON. */
export function standardOutput(): LogOutput {
  shared ??= new LogOutput(isatty(STANDARD_OUTPUT) ? readableLine : undefined);
  return shared;
}
