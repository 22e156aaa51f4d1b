import Type, { type Static } from 'typebox';
import { OAuthClientIdSchema, SessionIdSchema, TenantIdSchema, UserIdSchema } from '../ids.ts';
import { CreatedAt, expiresAt, timestampOrNull } from './record-fields.ts';

export const LOGOUT_DELIVERY_STATES = ['pending', 'delivered', 'failed', 'expired'] as const;
export type LogoutDeliveryState = (typeof LOGOUT_DELIVERY_STATES)[number];

export const LogoutDeliveryRecord = Type.Object(
  {
    session_id: SessionIdSchema,
    tenant_id: TenantIdSchema,
    client_id: OAuthClientIdSchema,
    user_id: UserIdSchema,
    status: Type.Enum([...LOGOUT_DELIVERY_STATES], {
      description:
        '`pending`: an attempt is due or in progress; `failed`: no further attempts; `expired`: the service could not send it within a day.',
      examples: ['delivered'],
    }),
    attempts: Type.Integer({ description: 'Number of attempts made.', examples: [1] }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the last attempt failed: a code and a sentence.',
      examples: ['status_503: The client answered 503.'],
    }),
    next_attempt_at: timestampOrNull('When the next attempt is due; null: none.'),
    ended_at: timestampOrNull('When it was delivered or given up; null: not yet.'),
    expires_at: expiresAt('No attempt is made after this.'),
    created_at: CreatedAt,
  },
  {
    $id: 'LogoutDelivery',
    description:
      'A logout token for a client about one session that ended, without the token itself.',
  },
);
export type LogoutDeliveryRecord = Static<typeof LogoutDeliveryRecord>;
