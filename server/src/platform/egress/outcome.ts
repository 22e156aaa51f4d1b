import type { IncomingHttpHeaders } from 'node:http';
import { codeOf, describe, EgressError, type EgressReason } from './reasons.ts';

export interface Answered {
  readonly outcome: 'answered';
  /** Any but those of a redirect. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As it came: never decompressed. */
  readonly body: Buffer;
  /** There was more than `maxBytes`. */
  readonly isTruncated: boolean;
}

export interface Unanswered {
  /** Refused: nothing was sent. Failed: it may have been received. */
  readonly outcome: 'refused' | 'failed';
  readonly reason: EgressReason;
  /** A sentence in plain English, without anything of the request or of the answer. */
  readonly detail: string;
  /** The status, where the head of an answer had come. */
  readonly status: number | undefined;
}

export type EgressOutcome = Answered | Unanswered;

const REFUSALS: readonly EgressReason[] = [
  'url_invalid',
  'scheme_not_allowed',
  'port_not_allowed',
  'address_not_allowed',
  'request_invalid',
  'too_busy',
];

export function unanswered(error: Error, status?: number): Unanswered {
  const isOurs = error instanceof EgressError;
  const reason = isOurs ? error.reason : reasonOf(error);
  const detail = isOurs ? error.detail : describe(reason, codeOf(error));
  return { outcome: REFUSALS.includes(reason) ? 'refused' : 'failed', reason, detail, status };
}

function reasonOf(error: Error): EgressReason {
  // By its name: undici is loaded with the first call, and this file before.
  if (error.name === 'HTTPParserError') return 'answer_malformed';
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'answer_too_large';
  return code === 'UND_ERR_INVALID_ARG' ? 'request_invalid' : 'connection_lost';
}
