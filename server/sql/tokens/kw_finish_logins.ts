// Made from kw_finish_logins.sql by `npm run generate`.

import type { LoginFlowId, SessionId, TenantId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import type { Call, RowFor } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export type FinishLoginsRow = RowFor<'outcome', 'opened' | 'elsewhere', {
  readonly workspace_id: WorkspaceId;
  readonly roles: string[];
  readonly scopes: string[];
  readonly identifiers: IdentifierRecord[];
  readonly queued: string[] | null;
}> | RowFor<'outcome', 'refused' | 'workspace_unknown', {
  readonly workspace_id: WorkspaceId | null;
  readonly roles: string[];
  readonly scopes: string[];
  readonly identifiers: IdentifierRecord[];
  readonly queued: string[] | null;
}>;

export const finishLogins: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly sessions: readonly SessionId[];
  readonly users: readonly UserId[];
  readonly authVersions: readonly number[];
  readonly authTimes: readonly Date[];
  readonly acrs: readonly string[];
  readonly amrs: readonly string[];
  readonly kinds: readonly string[];
  readonly workspaces: readonly (WorkspaceId | null)[];
  readonly userAgents: readonly (string | null)[];
  readonly ipAddresses: readonly string[];
  readonly now: readonly Date[];
  readonly expiresAt: readonly Date[];
  readonly endsAt: readonly Date[];
  readonly refreshHashes: readonly Buffer[];
  readonly refreshKids: readonly (string | null)[];
  readonly statusIndexes: readonly number[];
  readonly entries: string;
  readonly events: string;
  readonly attemptLogins: readonly number[];
  readonly attemptSubjects: readonly Buffer[];
  readonly flows: readonly (LoginFlowId | null)[];
  readonly flowVersions: readonly (number | null)[];
  readonly challenges: readonly (string | null)[];
}, FinishLoginsRow> = {
  name: 'kw_finish_logins',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_finish_logins($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)',
  values: ({ tenants, sessions, users, authVersions, authTimes, acrs, amrs, kinds, workspaces, userAgents, ipAddresses, now, expiresAt, endsAt, refreshHashes, refreshKids, statusIndexes, entries, events, attemptLogins, attemptSubjects, flows, flowVersions, challenges }) => [tenants, sessions, users, authVersions, authTimes, acrs, amrs, kinds, workspaces, userAgents, ipAddresses, now, expiresAt, endsAt, refreshHashes, refreshKids, statusIndexes, entries, events, attemptLogins, attemptSubjects, flows, flowVersions, challenges],
};
