import Type, { type Static } from 'typebox';
import { TenantIdSchema, UserIdSchema } from '../ids.ts';
import { ConsentRecord } from './consent.ts';
import { DelegationRecord } from './delegation.ts';
import { FactorRecord } from './factor.ts';
import { IdentityRecord } from './identity-provider.ts';
import { OwnInvitationRecord } from './own-invitation.ts';
import { OwnLogEntry } from './own-log-entry.ts';
import { ProfileRecord } from './profile.ts';
import { CreatedAt, expiresAt, timestamp } from './record-fields.ts';
import { SessionRecord } from './session.ts';
import { UserRecord } from './user.ts';
import { WorkspaceRecord } from './workspace.ts';

const EXPORT_STATES = ['pending', 'ready', 'failed'] as const;

/** How long an export can be downloaded. */
export const EXPORT_HOURS = 24;
/** The maximum number of entries per list; the newest are exported. */
export const MOST_EXPORTED = 5000;

export const ExportRecord = Type.Object(
  {
    user_id: UserIdSchema,
    tenant_id: TenantIdSchema,
    status: Type.Enum([...EXPORT_STATES], {
      description: '`pending` until the copy is created. If `failed`, request it again.',
      examples: ['ready'],
    }),
    bytes: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Size of the copy as JSON, in bytes; `null` until the copy is ready.',
      examples: [18_432],
    }),
    created_at: CreatedAt,
    expires_at: expiresAt('When the copy is deleted.'),
  },
  { $id: 'Export', description: 'A copy of a user’s stored data, created in the background.' },
);
export type ExportRecord = Static<typeof ExportRecord>;

/** The lists of an export. */
export const EXPORTED_LISTS = [
  'factors',
  'identities',
  'sessions',
  'consents',
  'delegations',
  'workspaces',
  'invitations',
  'log',
] as const;
export type ExportedList = (typeof EXPORTED_LISTS)[number];

const listed = (description: string) => ({ description });

export const AccountExport = Type.Object(
  {
    tenant_id: TenantIdSchema,
    exported_at: timestamp('When the copy was created.'),
    shortened: Type.Array(Type.Enum([...EXPORTED_LISTS]), {
      description: `Incomplete lists: each contains only its newest ${MOST_EXPORTED} entries, or fewer, so that the copy does not exceed 4 MiB.`,
      examples: [[]],
    }),
    user: UserRecord,
    profile: ProfileRecord,
    factors: Type.Array(FactorRecord, listed('Second factors.')),
    identities: Type.Array(IdentityRecord, listed('Identities at identity providers.')),
    sessions: Type.Array(SessionRecord, listed('Sessions.')),
    consents: Type.Array(ConsentRecord, listed('Consents to applications.')),
    delegations: Type.Array(DelegationRecord, listed('Delegations to agents.')),
    workspaces: Type.Array(WorkspaceRecord, listed('Memberships.')),
    invitations: Type.Array(OwnInvitationRecord, listed('Pending invitations.')),
    log: Type.Array(OwnLogEntry, listed('Audit log of the account.')),
  },
  {
    $id: 'AccountExport',
    description: 'The user’s stored data as the API returns it, without secrets.',
  },
);
export type AccountExport = Static<typeof AccountExport>;
