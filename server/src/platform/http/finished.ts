import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import { routeOf } from '../telemetry/metrics.ts';
import type { Peer } from './peer.ts';

/** Fields of a request's log line, filled in as they become known. */
export interface RequestFacts {
  tenant?: string;
  subject?: string;
  /** Code of the error in the response. */
  code?: string;
}

/** A request whose response was sent. */
export interface Finished {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  readonly peer: Peer;
  readonly facts: Readonly<RequestFacts>;
  /** `none` for an unknown path. */
  readonly routeId: string;
  readonly status: number;
  readonly ms: number;
}

export function finishedOf(request: FastifyRequest, reply: FastifyReply): Finished {
  const { id, method, url, peer, facts } = request;
  const { statusCode: status, elapsedTime: ms } = reply;
  return { id, method, url, peer, facts, routeId: routeOf(request), status, ms };
}

/** Matches a secret or an email address. */
const UNLOGGED = /(?<=\/messaging\/(?:feedback|suppressions)\/).+/;

/** Logs the path without its query, which can contain an email address. */
export function logRequest(log: Log, finished: Finished): void {
  const { id, method, url, peer, facts, status, ms } = finished;
  const queryAt = url.indexOf('?');
  log.request({
    reqId: id,
    method,
    path: (queryAt < 0 ? url : url.slice(0, queryAt)).replace(UNLOGGED, '…'),
    status,
    ms: Math.round(ms * 100) / 100,
    address: peer.address,
    tenant: facts.tenant,
    subject: facts.subject,
    code: facts.code,
  });
}
