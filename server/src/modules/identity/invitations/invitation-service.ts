import { namesAddress } from '@keywright/contract/addresses';
import { isFresh } from '@keywright/contract/assurance';
import type { Fail } from '@keywright/contract/errors';
import {
  type InvitationId,
  type OAuthClientId,
  parseInvitationId,
  parseUserId,
} from '@keywright/contract/ids';
import type { InvitationRecord } from '@keywright/contract/records/invitation';
import type { OwnInvitationRecord } from '@keywright/contract/records/own-invitation';
import type { BodyOf, QueryOf } from '@keywright/contract/route';
import {
  DEFAULT_INVITATION_DAYS,
  type createInvitation,
  type listInvitations,
} from '@keywright/contract/routes/invitations';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { newInvitationId } from '../../../platform/crypto/ids.ts';
import { listed, readPage } from '../../../platform/db/page.ts';
import { requireIdentifier } from '../../../platform/http/validation.ts';
import { type Caller, type UserCaller, nameOf } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Notes, record } from '../../events/journal/index.ts';
import type { MessageLimits, MessageQueue } from '../../events/messages/index.ts';
import { MEMBER, requireMayGrant, findMissingScopes } from '../roles/index.ts';
import {
  appearanceIn,
  findFirstIdentifier,
  lockOneself,
  lockWorkspaces,
  requiresSecondFactor,
} from '../users/index.ts';
import {
  InvitationRefused,
  acceptInvitation,
  grantorOf,
  holdInvitation,
} from './invitation-acceptance.ts';
import {
  type InvitationRow,
  type ReceivedInvitation,
  changePending,
  countInvitations,
  findInvitation,
  findInvitations,
  findInviterName,
  findInviterNames,
  findPendingInvitation,
  findPendingTo,
  findStartPage,
  hasPending,
  insertInvitation,
  lockInvitationCount,
  presentInvitation,
  stateOf,
} from './invitation-store.ts';

/** Each pending invitation has a message in the queue, and none is deleted before it expires. */
export const MOST_PENDING = 10_000;
const HOUR_SECONDS = 3600;
const DAY_MS = 24 * 60 * 60 * 1000;
/** A message is dropped if no server has accepted it within this time. */
const SENT_WITHIN_MS = DAY_MS;

type CreateError =
  | 'VALIDATION_FAILED'
  | 'METHOD_NOT_READY'
  | 'ROLE_UNKNOWN'
  | 'NOT_FOUND'
  | 'SCOPE_NOT_HELD'
  | 'TOO_MANY_INVITATIONS'
  | 'TOO_MANY_MESSAGES';

/** Invitations by administrators. */
export class InvitationService {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #queue: MessageQueue;
  readonly #limits: MessageLimits;

  constructor(gate: Gate, clock: Clock, queue: MessageQueue, limits: MessageLimits) {
    this.#gate = gate;
    this.#clock = clock;
    this.#queue = queue;
    this.#limits = limits;
  }

  /** Invites an address. The response and the message are the same for existing users, so neither reveals them. */
  async create(
    tenant: Tenant,
    caller: Caller,
    body: BodyOf<typeof createInvitation>,
    fail: Fail<CreateError>,
  ): Promise<InvitationRecord> {
    const { roles = [MEMBER], workspaces = [], expires_in_days: days } = body;
    const identifier = requireEmail(body.identifier, fail);
    const { name = null } = appearanceIn({ name: body.name ?? null }, {}, fail);
    const clientId = body.client_id ?? null;
    if (!tenant.sendsMail) fail('METHOD_NOT_READY');
    const inviter = inviterOf(caller, fail);
    const requireMayInvite = async (tx: TenantTx) => {
      await requireMayGrant(tx, caller, roles, fail);
      await requireMayAdmit(tx, caller, workspaces, fail);
      if (clientId !== null) await requireStartPage(tx, clientId, fail);
      if (await hasPending(tx, MOST_PENDING)) fail('TOO_MANY_INVITATIONS');
    };
    const data = this.#gate.into(tenant.id);
    // Checked first, so that a refused request does not count against the recipient.
    await data.transaction(requireMayInvite);
    await this.#requireMayMessage(tenant, caller, identifier, fail);
    return data.transaction(async (tx) => {
      await lockInvitationCount(tx);
      await requireMayInvite(tx);
      const validDays = days ?? DEFAULT_INVITATION_DAYS;
      const row = await insertInvitation(tx, {
        id: newInvitationId(tx.now),
        identifier,
        roles,
        workspaces,
        ...inviter,
        locale: body.locale,
        name,
        clientId,
        expiresAt: new Date(tx.now.getTime() + validDays * DAY_MS),
      });
      const inviterName = await this.#queueMessage(tx, row);
      await record(tx, caller, {
        action: 'invitation.created',
        target: { kind: 'invitation', id: row.id },
        details: { roles, workspaces, expires_in_days: validDays },
        events: [{ type: 'user.invited', data: { invitation_id: row.id } }],
      });
      return presentInvitation(row, inviterName, tx.now);
    });
  }

  async list(
    { id }: Tenant,
    query: QueryOf<typeof listInvitations>,
    fail: Fail<'VALIDATION_FAILED'>,
  ) {
    const { sort = '-created_at', status, identifier: text } = query;
    const page = readPage([id, 'invitations'], query, sort, fail);
    const identifier =
      text === undefined ? undefined : requireIdentifier(text, '/identifier', fail).identifier;
    const filter = { status, identifier };
    const [rows, total, names] = await this.#gate.into(id).transaction(async (tx) => {
      const found = await findInvitations(tx, filter, page);
      return [
        found,
        await countInvitations(tx, filter),
        await findInviterNames(tx, found),
      ] as const;
    });
    const now = this.#clock.now();
    return listed(
      page,
      rows,
      total,
      (row) => row.created_at.toISOString(),
      (row) => presentInvitation(row, names.get(row.invited_by) ?? null, now),
    );
  }

  async get(tenant: Tenant, id: string, fail: Fail<'NOT_FOUND'>): Promise<InvitationRecord> {
    const invitationId = parseInvitationId(id) ?? fail('NOT_FOUND');
    const data = this.#gate.into(tenant.id);
    return data.transaction(async (tx) => {
      const row = (await findInvitation(tx, invitationId)) ?? fail('NOT_FOUND');
      return presentInvitation(row, await findInviterName(tx, row), tx.now);
    });
  }

  async revoke(
    tenant: Tenant,
    caller: Caller,
    id: string,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<InvitationId> {
    const invitationId = parseInvitationId(id) ?? fail('NOT_FOUND');
    await this.#gate.into(tenant.id).transaction(async (tx) => {
      if (!(await changePending(tx, invitationId, { revoked_at: tx.now }))) fail('NOT_FOUND');
      const target = { kind: 'invitation', id: invitationId } as const;
      await record(tx, caller, { action: 'invitation.revoked', target, details: {} });
    });
    return invitationId;
  }

  async resend(
    tenant: Tenant,
    caller: Caller,
    id: string,
    fail: Fail<'NOT_FOUND' | 'METHOD_NOT_READY' | 'TOO_MANY_MESSAGES'>,
  ): Promise<InvitationRecord> {
    const invitationId = parseInvitationId(id) ?? fail('NOT_FOUND');
    if (!tenant.sendsMail) fail('METHOD_NOT_READY');
    const data = this.#gate.into(tenant.id);
    const found = await data.transaction((tx) => findInvitation(tx, invitationId));
    if (!found || stateOf(found, this.#clock.now()) !== 'pending') fail('NOT_FOUND');
    await this.#requireMayMessage(tenant, caller, found.identifier, fail);
    return data.transaction(async (tx) => {
      const row = (await changePending(tx, invitationId, { sent_at: tx.now })) ?? fail('NOT_FOUND');
      const inviterName = await this.#queueMessage(tx, row);
      const target = { kind: 'invitation', id: invitationId } as const;
      await record(tx, caller, { action: 'invitation.resent', target, details: {} });
      return presentInvitation(row, inviterName, tx.now);
    });
  }

  /** Counts a message against the limits of its recipient, the caller and the tenant. */
  async #requireMayMessage(
    tenant: Tenant,
    caller: Caller,
    destination: string,
    fail: Fail<'TOO_MANY_MESSAGES'>,
  ): Promise<void> {
    const { address } = caller.from;
    const message = { destination, address, name: nameOf(caller), isKnown: true };
    const wait = await this.#limits.admitMail(tenant.id, message);
    if (wait !== undefined) fail('TOO_MANY_MESSAGES', { retryAfterSeconds: wait });
    if (!(await this.#limits.spend(tenant, { ...message, isDecoy: false }))) {
      fail('TOO_MANY_MESSAGES', { retryAfterSeconds: HOUR_SECONDS });
    }
  }

  /** @returns the name of the inviter */
  async #queueMessage(tx: TenantTx, row: InvitationRow): Promise<string | null> {
    const { id, identifier, locale, expires_at: expiresAt } = row;
    const name = await findInviterName(tx, row);
    const inviter = await nameInMessage(tx, row, name);
    const sentBefore = new Date(tx.now.getTime() + SENT_WITHIN_MS);
    await this.#queue.enqueue(tx, {
      kind: 'invitation',
      channel: 'email',
      destination: identifier,
      userId: null,
      challengeId: id,
      locale: locale ?? undefined,
      vars: { valid_until: expiresAt.toISOString(), ...(inviter !== null && { inviter }) },
      unverifiedShare: 'named',
      expiresAt: sentBefore < expiresAt ? sentBefore : expiresAt,
    });
    return name;
  }
}

/** The message shows the address of an inviter whose name would be a link to another site. */
async function nameInMessage(
  tx: TenantTx,
  { invited_by: invitedBy }: Pick<InvitationRow, 'invited_by'>,
  name: string | null,
): Promise<string | null> {
  if (name === null || !namesAddress(name)) return name;
  const userId = parseUserId(invitedBy);
  return (userId && (await findFirstIdentifier(tx, userId))) ?? null;
}

function requireEmail(text: string, fail: Fail<'VALIDATION_FAILED'>): string {
  const { type, identifier } = requireIdentifier(text, '/identifier', fail);
  if (type === 'email') return identifier;
  const message = 'must be an email address: the invitation is sent to it';
  return fail('VALIDATION_FAILED', { errors: [{ path: '/identifier', message }] });
}

/** An application cannot invite, because the invitation would outlive the consent of its user. */
function inviterOf(caller: Caller, fail: Fail<'SCOPE_NOT_HELD'>) {
  const { kind: inviterKind, subject: invitedBy } = caller;
  if (inviterKind === 'app')
    fail('SCOPE_NOT_HELD', { detail: 'An application cannot invite users.' });
  const invitingAgent = caller.kind === 'delegate' ? caller.agentId : null;
  return { invitedBy, inviterKind, invitingAgent };
}

async function requireStartPage(
  tx: TenantTx,
  clientId: OAuthClientId,
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  if (await findStartPage(tx, clientId)) return;
  const message =
    'must be an active application with an initiate_login_uri or a client_uri, created by an administrator';
  fail('VALIDATION_FAILED', { errors: [{ path: '/client_id', message }] });
}

async function requireMayAdmit(
  tx: TenantTx,
  caller: Caller,
  workspaces: NonNullable<BodyOf<typeof createInvitation>['workspaces']>,
  fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
): Promise<void> {
  if (workspaces.length === 0) return;
  const missing = await findMissingScopes(tx, caller, ['write:workspaces']);
  if (missing.length > 0) {
    fail('SCOPE_NOT_HELD', { detail: `To invite to workspaces you need: ${missing.join(', ')}.` });
  }
  if ((await lockWorkspaces(tx, workspaces)).length < workspaces.length) fail('NOT_FOUND');
}

/** The invitations to the caller's verified addresses. */
export class ReceivedInvitationService {
  readonly #gate: Gate;
  readonly #notes: Notes;

  constructor(gate: Gate, notes: Notes) {
    this.#gate = gate;
    this.#notes = notes;
  }

  async list(tenant: Tenant, { subject }: UserCaller): Promise<OwnInvitationRecord[]> {
    const data = this.#gate.into(tenant.id);
    const rows = await data.transaction((tx) => findPendingTo(tx, subject));
    return rows.map((row) => present(row));
  }

  async accept(
    tenant: Tenant,
    caller: UserCaller,
    id: string,
    fail: Fail<'TOKEN_INVALID' | 'NOT_FOUND' | 'STEP_UP_REQUIRED'>,
  ): Promise<OwnInvitationRecord> {
    const { subject } = caller;
    const invitationId = parseInvitationId(id) ?? fail('NOT_FOUND');
    const data = this.#gate.into(tenant.id);
    const row =
      (await data.transaction((tx) => findPendingInvitation(tx, subject, invitationId))) ??
      fail('NOT_FOUND');
    const grantor = await grantorOf(this.#gate, row);
    const needsFactor = await requiresSecondFactor(data, tenant.config, subject, row.roles);
    try {
      await data.transaction(async (tx) => {
        await lockOneself(tx, caller, fail);
        if (needsFactor) requireSecondFactor(caller, tx.now, fail);
        // The user might have removed the address in the meantime.
        if (!(await findPendingInvitation(tx, subject, invitationId))) fail('NOT_FOUND');
        await holdInvitation(tx, row, grantor, subject);
        await acceptInvitation(tx, row, subject, caller);
      });
    } catch (error) {
      if (!(error instanceof InvitationRefused)) throw error;
      this.#notes.note(tenant.id, caller, {
        action: 'invitation.refused',
        target: { kind: 'invitation', id: invitationId },
        outcome: 'failure',
        details: { reason: error.reason, user_id: subject },
      });
      return fail('NOT_FOUND');
    }
    return present(row);
  }

  async decline(
    tenant: Tenant,
    caller: UserCaller,
    id: string,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<InvitationId> {
    const invitationId = parseInvitationId(id) ?? fail('NOT_FOUND');
    await this.#gate.into(tenant.id).transaction(async (tx) => {
      const isTheirs = await findPendingInvitation(tx, caller.subject, invitationId);
      if (!isTheirs || !(await changePending(tx, invitationId, { revoked_at: tx.now }))) {
        fail('NOT_FOUND');
      }
      const target = { kind: 'invitation', id: invitationId } as const;
      await record(tx, caller, { action: 'invitation.declined', target, details: {} });
    });
    return invitationId;
  }
}

function requireSecondFactor(
  { claims }: UserCaller,
  now: Date,
  fail: Fail<'STEP_UP_REQUIRED'>,
): void {
  const required = { acr: 'aal2' as const };
  if (!isFresh(claims, required, epochSeconds(now))) {
    fail('STEP_UP_REQUIRED', { stepUp: required });
  }
}

function present(row: ReceivedInvitation): OwnInvitationRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    identifier: row.identifier,
    invited_by_name: row.inviter_name,
    roles: row.roles,
    workspaces: row.workspace_names.map(({ id, name }) => ({
      id,
      tenant_id: row.tenant_id,
      name,
    })),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
