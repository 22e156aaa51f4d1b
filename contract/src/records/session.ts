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
          description:
            '`User-Agent` header of the login, up to 512 characters; `null` if none was sent.',
          examples: ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
        }),
        ip_address: Type.String({
          description: 'IP address of the login.',
          examples: ['203.0.113.7'],
        }),
        location: Type.Null({
          description:
            'Always `null`. IP addresses are not looked up, because they must not leave the service.',
        }),
      },
      { description: 'Origin of the login.' },
    ),
    kind: Type.Enum([...SESSION_KINDS], {
      description:
        'The credential that continues the session. `api`: a refresh token of a login. `browser`: a cookie. `client`: a refresh token of an OAuth client.',
      examples: ['api'],
    }),
    client_id: Type.Union([Type.String(), Type.Null()], {
      description: 'The OAuth client that the session belongs to; `null` for a direct login.',
      examples: [null],
    }),
    parent_id: Type.Union([SessionIdSchema, Type.Null()], {
      description:
        'The browser session that this session was opened from, and ends with; `null` if there is none.',
      examples: [null],
    }),
    scopes: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description:
        'Scopes that the user granted to the client; `null` for a direct login, which has all scopes of the user.',
      examples: [null],
    }),
    auth_time: timestamp('When the user authenticated (ISO 8601, UTC).'),
    acr: AcrSchema,
    amr: AmrSchema,
    created_at: CreatedAt,
    last_used_at: timestamp(
      'When the session was last refreshed, or in a browser last used on a page, to within a few minutes.',
    ),
    expires_at: expiresAt('When the session expires unless it is refreshed.'),
    is_active: Type.Boolean({
      description: 'Whether the session is active: it has not ended and not expired.',
    }),
    end_reason: Type.Union([Type.Enum([...SESSION_END_REASONS, 'expired']), Type.Null()], {
      description: 'Why the session ended; `null` if it is active.',
      examples: [null],
    }),
    ended_at: timestampOrNull(
      'When the session ended or expired; `null` if it is active, or if a version of the service that did not record the time ended it.',
    ),
  },
  {
    $id: 'Session',
    description: 'A user’s login on one device. Its refresh token is never shown.',
  },
);
export type SessionRecord = Static<typeof SessionRecord>;
