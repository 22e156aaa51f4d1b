import type { IncomingHttpHeaders } from 'node:http';
import { codeOf, describe, EgressError, type EgressReason } from './reasons.ts';

export interface Answered {
  readonly outcome: 'answered';
  /** Any status except redirects. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As received: never decompressed. */
  readonly body: Buffer;
  /** Whether the body was longer than `maxBytes`. */
  readonly isTruncated: boolean;
}

export interface Unanswered {
  /** `refused`: nothing was sent. `failed`: the request may have been received. */
  readonly outcome: 'refused' | 'failed';
  readonly reason: EgressReason;
  /** A message that contains no part of the request or the response. */
  readonly detail: string;
  /** The status, if the head of a response was received. */
  readonly status: number | undefined;
}

export type EgressOutcome = Answered | Unanswered;

const REFUSALS: readonly EgressReason[] = [
  'url_invalid',
  'scheme_not_allowed',
  'port_not_allowed',
  'tls_required',
  'mail_port_not_allowed',
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
  // Compared by name: undici is loaded on the first call, this file earlier.
  if (error.name === 'HTTPParserError') return 'answer_malformed';
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'answer_too_large';
  return code === 'UND_ERR_INVALID_ARG' ? 'request_invalid' : 'connection_lost';
}
