import { request } from 'node:http';
import { inflateSync } from 'node:zlib';
import { claimsOf, payloadOf } from './token.ts';
import { until } from './until.ts';

/** The content of a status list (draft-ietf-oauth-status-list §5.1), without verification. */
export interface StatusListClaims {
  readonly sub: string;
  readonly iss: string;
  readonly iat: number;
  readonly exp: number;
  readonly ttl: number;
  readonly version: number;
  readonly status_list: { readonly bits: number; readonly lst: string };
}

export function listClaimsOf(token: string): StatusListClaims {
  return payloadOf(token) as StatusListClaims;
}

/** The numbers of the bits that are set. */
export function bitsSetIn(token: string): number[] {
  const bytes = inflateSync(Buffer.from(listClaimsOf(token).status_list.lst, 'base64url'));
  const set: number[] = [];
  for (const [at, byte] of bytes.entries()) {
    for (let bit = 0; bit < 8; bit += 1) if (byte & (1 << bit)) set.push(at * 8 + bit);
  }
  return set;
}

/** The status bit of an access token. */
export function bitOf(token: string): number {
  const { status } = claimsOf(token);
  if (!status) throw new Error('This token names no bit.');
  return status.status_list.idx;
}

/** The content of an event of the stream, without verification. */
export interface StatusEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly token: string;
  readonly claims: {
    readonly iss: string;
    readonly iat: number;
    readonly from?: number;
    readonly version?: number;
    readonly revoked?: Readonly<Record<string, readonly number[]>>;
    readonly reset?: boolean;
    readonly closed?: boolean;
  };
  /** The time of receipt, on the monotonic clock. */
  readonly at: number;
}

/** One connection that follows revocations. */
export interface StatusStream {
  readonly events: readonly StatusEvent[];
  readonly isOver: boolean;
  /** The first event of this kind, including past events. */
  find(
    what: string,
    matches: (event: StatusEvent) => boolean,
    deadlineMs?: number,
  ): Promise<StatusEvent>;
  /** The first event that reports this bit of a list. */
  revocationOf(bit: number, list?: number, deadlineMs?: number): Promise<StatusEvent>;
  close(): void;
}

/** @param path the path of the stream @throws if the response is not an event stream */
export function followStatus(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<StatusStream> {
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, url), { agent: false, headers });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      if (incoming.statusCode !== 200) {
        incoming.destroy();
        reject(new Error(`The stream was answered with ${incoming.statusCode}.`));
        return;
      }
      const events: StatusEvent[] = [];
      const state = { isOver: false };
      let rest = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (text: string) => {
        const parts = (rest + text).split('\n\n');
        rest = parts.pop() ?? '';
        for (const part of parts) events.push(readEvent(part));
      });
      incoming.on('error', () => undefined);
      incoming.on('close', () => (state.isOver = true));
      resolve(streamOf(events, state, () => outgoing.destroy()));
    });
    outgoing.end();
  });
}

function streamOf(
  events: readonly StatusEvent[],
  state: { readonly isOver: boolean },
  close: () => void,
): StatusStream {
  const find: StatusStream['find'] = (what, matches, deadlineMs) =>
    until(what, () => events.find(matches), deadlineMs);
  return {
    events,
    get isOver() {
      return state.isOver;
    },
    find,
    revocationOf: (bit, list = 0, deadlineMs) =>
      find(
        `bit ${bit} of list ${list} is published`,
        ({ claims }) => Boolean(claims.revoked?.[list]?.includes(bit)),
        deadlineMs,
      ),
    close,
  };
}

function readEvent(text: string): StatusEvent {
  const fields = new Map(
    text.split('\n').map((line) => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)];
    }),
  );
  const token = fields.get('data') ?? '';
  return {
    id: fields.get('id'),
    event: fields.get('event') ?? '',
    token,
    claims: claimsOf(token),
    at: performance.now(),
  };
}
