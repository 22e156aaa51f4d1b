import { type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * One JSON object a line, on standard output. Control characters are escaped by JSON. Requests, headers and
 * bodies are never logged whole: each place names the fields it logs.
 */
export function createLog(level: string): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}
