import Type, { type Static } from 'typebox';
import { AcrSchema, AmrSchema, SESSION_KINDS } from '../authentication.ts';
import { SessionIdSchema, TenantIdSchema, UserIdSchema, WorkspaceIdSchema } from '../ids.ts';
import { CreatedAt, expiresAt, timestamp, timestampOrNull } from './record-fields.ts';

/** The state of a session. */
export const SESSION_STATES = ['active', 'ended', 'expired'] as const;
export type SessionState = (typeof SESSION_STATES)[number];

/** Why a session ended before its expiry. */
export const SESSION_END_REASONS = [
  'logout',
  'revoked',
  'refresh_token_reused',
  'password_changed',
  'deactivated',
  'account_reclaimed',
  'identifiers_restored',
  'user_deleted',
  'workspace_deleted',
  'consent_revoked',
  'client_deleted',
  'code_reused',
  'replaced',
  'restored',
] as const;
export type SessionEndReason = (typeof SESSION_END_REASONS)[number];

export const SessionRecord = Type.Object(
  {
    id: SessionIdSchema,
    user_id: UserIdSchema,
    tenant_id: TenantIdSchema,
    workspace_id: WorkspaceIdSchema,
    device_info: Type.Object(
      {
        user_agent: Type.Union([Type.String(), Type.Null()], {
          description: '`User-Agent` of the login, at most 512 characters; null: none was sent.',
          examples: ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
        }),
        ip_address: Type.String({
          description: 'IP address of the login.',
          examples: ['203.0.113.7'],
        }),
        location: Type.Null({
          description:
            'Always null: addresses are not looked up, since none may leave the service.',
        }),
      },
      { description: 'Origin of the login.' },
    ),
    kind: Type.Enum([...SESSION_KINDS], {
      description:
        'The secret that continues the session: `api`: a refresh token of a login, `browser`: a cookie, `client`: a refresh token of an OAuth client.',
      examples: ['api'],
    }),
    client_id: Type.Union([Type.String(), Type.Null()], {
      description: 'The OAuth client that it was opened for; null: a direct login.',
      examples: [null],
    }),
    parent_id: Type.Union([SessionIdSchema, Type.Null()], {
      description:
        'The browser session that the session was opened from and ends with; null: none.',
      examples: [null],
    }),
    scopes: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description:
        'Scopes that the user granted to the client; null: a direct login, with all scopes of the user.',
      examples: [null],
    }),
    auth_time: timestamp('When the user authenticated (ISO 8601, UTC).'),
    acr: AcrSchema,
    amr: AmrSchema,
    created_at: CreatedAt,
    expires_at: expiresAt('Expiry of the session unless it is refreshed.'),
    is_active: Type.Boolean({ description: 'Whether the session has neither ended nor expired.' }),
    end_reason: Type.Union([Type.Enum([...SESSION_END_REASONS, 'expired']), Type.Null()], {
      description: 'Reason why the session ended; null: active.',
      examples: [null],
    }),
    ended_at: timestampOrNull(
      'When it ended or expired; null: it is active, or was ended by a version of the service that did not record it.',
    ),
  },
  {
    $id: 'Session',
    description: 'A login of a user on one device. Its refresh token is never shown.',
  },
);
export type SessionRecord = Static<typeof SessionRecord>;
