import type { AppError } from '@keywright/contract/errors';
import { parseAgentId } from '@keywright/contract/ids';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Actor, type Notes, anonymous } from '../../events/journal/index.ts';
import type { Application } from './application.ts';
import type { Client } from './client.ts';
import type { ClientRequest } from './request.ts';
import type { Asker } from './throttle.ts';

/** An agent that requests a token, in the audit log. */
export function clientActor({ agentId, keyId }: Client, from: Origin): Actor {
  return { kind: 'agent', subject: agentId, keyId, from };
}

/** Records why a client was rejected, which only the audit log shows. */
export function noteRefused(
  notes: Notes,
  { tenant, from, clientId }: Asker,
  { code, options }: AppError,
): void {
  notes.note(tenant.id, anonymous(from), {
    action: 'auth.token_refused',
    target: { kind: 'agent', id: parseAgentId(clientId) ?? null },
    outcome: 'failure',
    details: { reason: typeof options.internal === 'string' ? options.internal : code },
  });
}

/** Records requests that were throttled, counted by address: a client can continue indefinitely. */
export function noteThrottled(notes: Notes, { tenant, from }: Asker): void {
  notes.count(tenant.id, from, {
    action: 'auth.token_refused',
    target: { kind: 'agent', id: null },
    outcome: 'failure',
    details: { reason: 'throttled' },
  });
}

export function noteIssued(notes: Notes, tenant: Tenant, client: Client, from: Origin): void {
  notes.note(tenant.id, clientActor(client, from), {
    action: 'auth.token_issued',
    target: { kind: 'agent', id: client.agentId },
    details: { ...client.grounds },
  });
}

/** Records that an authenticated agent may not act for the user. */
export function noteDenied(
  notes: Notes,
  tenant: Tenant,
  client: Client,
  from: Origin,
  { code }: AppError,
): void {
  notes.note(tenant.id, clientActor(client, from), {
    action: 'auth.token_exchanged',
    target: { kind: 'agent', id: client.agentId },
    outcome: 'denied',
    details: { code },
  });
}

/** What an application tried whose user may not be known. */
type ApplicationAction =
  | 'auth.token_exchanged'
  | 'auth.identity_asserted'
  | 'auth.assertion_redeemed';

/** Records that an authenticated application was refused, and why, which the response omits. */
export function noteDeniedApplication(
  notes: Notes,
  { tenant, from }: Pick<ClientRequest, 'tenant' | 'from'>,
  { id }: Application,
  action: ApplicationAction,
  { code, options }: AppError,
): void {
  const reason = typeof options.internal === 'string' ? { reason: options.internal } : {};
  notes.note(tenant.id, anonymous(from), {
    action,
    target: { kind: 'client', id },
    outcome: 'denied',
    details: { code, ...reason },
  });
}
