import type { AppError } from '@keywright/contract/errors';
import { parseAgentId } from '@keywright/contract/ids';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Actor, type Notes, anonymous } from '../../events/journal/index.ts';
import type { Client } from './client.ts';
import type { Asker } from './throttle.ts';

/** An agent that asks for a token, as the audit log names it. */
export function clientActor({ agentId, keyId }: Client, from: Origin): Actor {
  return { kind: 'agent', subject: agentId, keyId, from };
}

/** That a client was not believed, and why: it is told to nobody else. */
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

/** That somebody is refused without being looked at, counted by address: a client can go on with that for ever. */
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

/** That an agent which is one may not act for a user, or not like that. */
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
