import type { ErrorBody } from '@keywright/contract/errors';
import type { StartedFlow, FlowAnswer } from '@keywright/contract/records/login-flow';
import type { InvitationRecord } from '@keywright/contract/records/invitation';
import { newInvitationId } from '@keywright/server/platform/crypto/ids';
import { newIdentifier } from './credentials.ts';
import { type Answer, expectStatus } from './http.ts';
import type { Keywright } from './keywright.ts';
import type { MailSink } from './mail-sink.ts';
import type { RequestToNode, TestTenant } from './tenant.ts';
import { until } from './until.ts';

/** An invitation, and the token in its message. */
export interface Invited {
  readonly invitation: InvitationRecord;
  readonly token: string;
}

/** Waits for the message of an invitation. */
export function invitationTokenTo(sink: MailSink, { id, identifier }: InvitationRecord) {
  return until(`invitation to ${identifier}`, () => {
    const texts = sink.mails.flatMap(({ to, parsed }) =>
      to.includes(identifier) ? [parsed.text ?? ''] : [],
    );
    return texts
      .flatMap((text) => /\binv_[0-9a-z]{26}\.[\w-]{43}/.exec(text) ?? [])
      .find((token) => token.startsWith(id));
  });
}

interface Parts {
  readonly keywright: Pick<Keywright, 'database'>;
  readonly sink: MailSink;
}

/** Invites a user, by default with a new address. @param by the inviter's token; default: the administrator's */
export async function invite(
  { keywright, sink }: Parts,
  tenant: TestTenant,
  body: object = {},
  by?: string,
): Promise<Invited> {
  await keywright.database.query('DELETE FROM login_attempts WHERE tenant_id = $1', [tenant.id]);
  const answer = await tenant.request<InvitationRecord>('POST', '/invitations', {
    token: by ?? (await tenant.adminToken()),
    body: { identifier: newIdentifier(), ...body },
  });
  const invitation = expectStatus(201, answer);
  return { invitation, token: await invitationTokenTo(sink, invitation) };
}

interface DirectInvitation {
  readonly identifier: string;
  readonly workspaces: string[];
  readonly name?: string | null;
}

/** Inserts an invitation by an administrator, for a service that sends no messages. @returns its ID */
export async function inviteWithout(
  database: Keywright['database'],
  tenant: TestTenant,
  { identifier, workspaces, name = null }: DirectInvitation,
): Promise<string> {
  const { user } = await tenant.createUser({ roles: ['admin'] });
  const id = newInvitationId(new Date());
  await database.query(
    `INSERT INTO invitations (tenant_id, id, identifier, roles, workspaces, invited_by, inviter_kind, name, created_at,
                              sent_at, expires_at)
     VALUES ($1, $2, $3, '{member}', $4, $5, 'user', $6, now(), now(), now() + interval '7 days')`,
    [tenant.id, id, identifier, workspaces, user.id, name],
  );
  return id;
}

export type FlowReply = Answer<FlowAnswer & ErrorBody>;

/** A flow that accepts an invitation. */
export function openInvitation(
  tenant: TestTenant,
  token: string,
  more: object = {},
): Promise<Answer<StartedFlow & ErrorBody>> {
  const body = { purpose: 'invitation', token, ...more };
  return tenant.request('POST', '/auth/flows', { body });
}

export async function openedInvitation(
  tenant: TestTenant,
  token: string,
  more: object = {},
): Promise<StartedFlow> {
  return expectStatus(201, await openInvitation(tenant, token, more));
}

export function flowStep(
  tenant: TestTenant,
  { flow, flow_token }: Pick<StartedFlow, 'flow' | 'flow_token'>,
  step: string,
  body: object = {},
  options: RequestToNode = {},
): Promise<FlowReply> {
  const path = `/auth/flows/${flow.id}/${step}`;
  return tenant.request('POST', path, { ...options, body: { flow_token, ...body } });
}
