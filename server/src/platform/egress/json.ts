import type { IncomingHttpHeaders } from 'node:http';
import type { Egress, EgressRequest } from './egress.ts';
import { type Unanswered, unanswered } from './outcome.ts';
import { EgressError } from './reasons.ts';

export interface JsonAnswered {
  readonly outcome: 'answered';
  /** Untrusted: validate it with a schema. */
  readonly value: unknown;
  readonly headers: IncomingHttpHeaders;
}

/** Fetches a small JSON document, such as a key set (RFC 7517 §5) or discovery metadata. Anything but 200 is a failure. */
export async function getJson(
  egress: Egress,
  request: Pick<EgressRequest, 'url' | 'headers' | 'onBehalfOf' | 'timeoutMs' | 'maxBytes'>,
): Promise<JsonAnswered | Unanswered> {
  const headers = { accept: 'application/json, application/jwk-set+json' };
  const got = await egress.send({
    method: 'GET',
    ...request,
    headers: { ...headers, ...request.headers },
  });
  if (got.outcome !== 'answered') return got;
  if (got.status !== 200) return unanswered(new EgressError('status_not_ok'), got.status);
  const value = isJson(got.headers['content-type'] ?? '') ? parse(got.body) : undefined;
  if (value === undefined) return unanswered(new EgressError('not_json'), got.status);
  return { outcome: 'answered', value, headers: got.headers };
}

/** RFC 6839 §3.1: a subtype with the suffix +json is JSON. */
function isJson(contentType: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json[\t ]*(?:;|$)/i.test(contentType);
}

/** @returns undefined unless the body is JSON in UTF-8 (RFC 8259 §8.1) */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
