import type { Fail } from '@keywright/contract/errors';
import { type InvitationId, parseInvitationId } from '@keywright/contract/ids';
import type { InvitationRecord } from '@keywright/contract/records/invitation';
import type { BodyOf, QueryOf } from '@keywright/contract/route';
import {
  type createInvitation,
  DEFAULT_INVITATION_DAYS,
  type listInvitations,
} from '@keywright/contract/routes/invitations';
import type { Clock } from '../../../platform/clock.ts';
import { newInvitationId } from '../../../platform/crypto/ids.ts';
import { listed, readPage } from '../../../platform/db/page.ts';
import { type Caller, nameOf } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx, TenantData } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import type { Messages } from '../../events/messages/index.ts';
import { MEMBER, requireMayGrant, scopesNotHeld } from '../roles/index.ts';
import { requireIdentifier } from '../users/index.ts';
import {
  presentInvitation,
  stateOf,
  changePending,
  findInvitation,
  hasPending,
  holdWorkspaces,
  insertInvitation,
  type InvitationRow,
  lockNumber,
  countInvitations,
  findInvitations,
} from './invitation-store.ts';

/** A message of each is queued; none is removed before it has expired. */
const MOST_PENDING = 10_000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** After which a message that no server has accepted is given up. */
const SENT_WITHIN_MS = DAY_MS;

export interface InvitationDependencies extends Pick<
  Messages,
  'queueMessage' | 'admitMessage' | 'spend'
> {
  readonly gate: Gate;
  readonly clock: Clock;
}

type RefuseCreate = Fail<
  | 'VALIDATION_FAILED'
  | 'METHOD_NOT_READY'
  | 'ROLE_UNKNOWN'
  | 'NOT_FOUND'
  | 'SCOPE_NOT_HELD'
  | 'TOO_MANY_INVITATIONS'
  | 'TOO_MANY_MESSAGES'
>;

/** No application: an invitation would outlive the consent of its user. */
function inviterOf(caller: Caller, fail: Fail<'SCOPE_NOT_HELD'>) {
  const { kind: inviterKind, subject: invitedBy } = caller;
  if (inviterKind === 'app') fail('SCOPE_NOT_HELD', { detail: 'An application cannot invite.' });
  const invitingAgent = caller.kind === 'delegate' ? caller.agentId : null;
  return { invitedBy, inviterKind, invitingAgent };
}

/** Whether somebody has the address is not looked up: what is answered and sent does not depend on it. */
export async function invite(
  dependencies: InvitationDependencies,
  tenant: Tenant,
  caller: Caller,
  body: BodyOf<typeof createInvitation>,
  fail: RefuseCreate,
): Promise<InvitationRecord> {
  const { type, identifier } = requireIdentifier(body.identifier, '/identifier', fail);
  if (type !== 'email') {
    const message = 'must be an e-mail address: the invitation is sent to it';
    fail('VALIDATION_FAILED', { errors: [{ path: '/identifier', message }] });
  }
  if (!tenant.sendsMail) fail('METHOD_NOT_READY');
  const {
    roles = [MEMBER],
    workspaces = [],
    expires_in_days: days = DEFAULT_INVITATION_DAYS,
  } = body;
  const inviter = inviterOf(caller, fail);
  const requireMayInvite = async (tx: TenantTx) => {
    await requireMayGrant(tx, caller, roles, fail);
    await requireMayAdmit(tx, caller, workspaces, fail);
    if (await hasPending(tx, MOST_PENDING)) fail('TOO_MANY_INVITATIONS');
  };
  const data = dependencies.gate.into(tenant.id);
  // What is refused counts for no recipient.
  await data.transaction(requireMayInvite);
  await requireAdmitted(dependencies, tenant, caller, identifier, fail);
  return data.transaction(async (tx) => {
    await lockNumber(tx);
    await requireMayInvite(tx);
    const row = await insertInvitation(tx, {
      id: newInvitationId(tx.now),
      identifier,
      roles,
      workspaces,
      ...inviter,
      locale: body.locale,
      expiresAt: new Date(tx.now.getTime() + days * DAY_MS),
    });
    await queue(dependencies, tx, row);
    await record(tx, caller, {
      action: 'invitation.created',
      target: { kind: 'invitation', id: row.id },
      details: { roles, workspaces, expires_in_days: days },
      events: [{ type: 'user.invited', data: { invitation_id: row.id } }],
    });
    return presentInvitation(row, tx.now);
  });
}

export async function getInvitationById(
  { gate, clock }: InvitationDependencies,
  tenant: Tenant,
  id: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<InvitationRecord> {
  const invitationId = parseInvitationId(id) ?? fail('NOT_FOUND');
  const row = await gate.into(tenant.id).transaction((tx) => findInvitation(tx, invitationId));
  return row ? presentInvitation(row, clock.now()) : fail('NOT_FOUND');
}

export async function revoke(
  { gate }: InvitationDependencies,
  tenant: Tenant,
  caller: Caller,
  id: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<InvitationId> {
  const invitationId = parseInvitationId(id) ?? fail('NOT_FOUND');
  await gate.into(tenant.id).transaction(async (tx) => {
    if (!(await changePending(tx, invitationId, { revoked_at: tx.now }))) fail('NOT_FOUND');
    const target = { kind: 'invitation', id: invitationId } as const;
    await record(tx, caller, { action: 'invitation.revoked', target, details: {} });
  });
  return invitationId;
}

export async function resend(
  dependencies: InvitationDependencies,
  tenant: Tenant,
  caller: Caller,
  id: string,
  fail: Fail<'NOT_FOUND' | 'METHOD_NOT_READY' | 'TOO_MANY_MESSAGES'>,
): Promise<InvitationRecord> {
  const invitationId = parseInvitationId(id) ?? fail('NOT_FOUND');
  if (!tenant.sendsMail) fail('METHOD_NOT_READY');
  const data = dependencies.gate.into(tenant.id);
  const known = await data.transaction((tx) => findInvitation(tx, invitationId));
  if (!known || stateOf(known, dependencies.clock.now()) !== 'pending') fail('NOT_FOUND');
  await requireAdmitted(dependencies, tenant, caller, known.identifier, fail);
  return data.transaction(async (tx) => {
    const row = (await changePending(tx, invitationId, { sent_at: tx.now })) ?? fail('NOT_FOUND');
    await queue(dependencies, tx, row);
    const target = { kind: 'invitation', id: invitationId } as const;
    await record(tx, caller, { action: 'invitation.resent', target, details: {} });
    return presentInvitation(row, tx.now);
  });
}

async function requireMayAdmit(
  tx: TenantTx,
  caller: Caller,
  workspaces: NonNullable<BodyOf<typeof createInvitation>['workspaces']>,
  fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
): Promise<void> {
  if (workspaces.length === 0) return;
  const missing = await scopesNotHeld(tx, caller, ['write:workspaces']);
  if (missing.length > 0) {
    fail('SCOPE_NOT_HELD', { detail: `To invite to workspaces you need: ${missing.join(', ')}.` });
  }
  if ((await holdWorkspaces(tx, workspaces)).length < workspaces.length) fail('NOT_FOUND');
}

async function requireAdmitted(
  { gate, admitMessage, spend }: InvitationDependencies,
  tenant: Tenant,
  caller: Caller,
  destination: string,
  fail: Fail<'TOO_MANY_MESSAGES'>,
): Promise<void> {
  const wanted = { destination, address: caller.from.address, name: nameOf(caller), isKnown: true };
  const wait = await admitMessage(gate.into(tenant.id), wanted);
  if (wait !== undefined) fail('TOO_MANY_MESSAGES', { retryAfterSeconds: wait });
  if (!(await spend(tenant, { ...wanted, isDecoy: false }))) {
    fail('TOO_MANY_MESSAGES', { retryAfterSeconds: HOUR_SECONDS });
  }
}

const HOUR_SECONDS = 3600;

async function queue(
  { queueMessage }: InvitationDependencies,
  tx: TenantTx,
  { id, identifier, locale, expires_at: expiresAt }: InvitationRow,
): Promise<void> {
  const givenUp = new Date(tx.now.getTime() + SENT_WITHIN_MS);
  await queueMessage(tx, {
    kind: 'invitation',
    channel: 'email',
    destination: identifier,
    userId: null,
    challengeId: id,
    locale: locale ?? undefined,
    vars: { valid_until: expiresAt.toISOString() },
    unverifiedShare: 'named',
    expiresAt: givenUp < expiresAt ? givenUp : expiresAt,
  });
}

export async function listInvitationsPage(
  tenant: TenantData,
  query: QueryOf<typeof listInvitations>,
  now: Date,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const sort = query.sort ?? '-created_at';
  const page = readPage([tenant.tenantId, 'invitations'], query, sort, fail);
  const { status, identifier: given } = query;
  const identifier =
    given === undefined ? undefined : requireIdentifier(given, '/identifier', fail).identifier;
  const filter = { status, identifier };
  const [rows, total] = await tenant.transaction(
    async (tx) =>
      [await findInvitations(tx, filter, page), await countInvitations(tx, filter)] as const,
  );
  return listed(
    page,
    rows,
    total,
    (row) => row.created_at.toISOString(),
    (row) => presentInvitation(row, now),
  );
}
