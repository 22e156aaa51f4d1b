import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * One JSON object a line, on standard output unless `to` says otherwise. Control characters are escaped by
 * JSON. Requests, headers and bodies are never logged whole: each place names the fields it logs.
 */
export function createLog(level: string, to?: DestinationStream): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return to ? pino(options, to) : pino(options);
}
