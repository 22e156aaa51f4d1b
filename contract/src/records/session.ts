import Type, { type Static } from 'typebox';
import { SessionIdSchema, TenantIdSchema, UserIdSchema, WorkspaceIdSchema } from '../ids.ts';

export const SessionRecord = Type.Object(
  {
    id: SessionIdSchema,
    user_id: UserIdSchema,
    tenant_id: TenantIdSchema,
    workspace_id: WorkspaceIdSchema,
    device_info: Type.Object({
      user_agent: Type.Union([Type.String(), Type.Null()]),
      ip_address: Type.String(),
      location: Type.Null({ description: 'Not looked up: no address leaves the service.' }),
    }),
    created_at: Type.String({ format: 'date-time' }),
    expires_at: Type.String({ format: 'date-time' }),
    is_active: Type.Boolean(),
  },
  {
    $id: 'Session',
    description: 'One login of one user on one device. Its refresh token is never shown.',
  },
);
export type SessionRecord = Static<typeof SessionRecord>;

/** Why a session ended before its time. */
export const SESSION_END_REASONS = [
  'logout',
  'revoked',
  'refresh_token_reused',
  'password_changed',
  'deactivated',
  'user_deleted',
  'workspace_deleted',
] as const;
export type SessionEndReason = (typeof SESSION_END_REASONS)[number];
