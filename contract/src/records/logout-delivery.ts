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
        '`pending`: an attempt is due or in progress. `failed`: there are no more attempts. `expired`: the token could not be sent within a day.',
      examples: ['delivered'],
    }),
    attempts: Type.Integer({ description: 'Number of attempts so far.', examples: [1] }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the last attempt failed: a code, followed by a sentence.',
      examples: ['status_503: The client returned 503.'],
    }),
    next_attempt_at: timestampOrNull('Time of the next attempt; `null` if there is none.'),
    ended_at: timestampOrNull(
      'When the token was delivered or given up; `null` if neither has happened.',
    ),
    expires_at: expiresAt('The last time when an attempt can be made.'),
    created_at: CreatedAt,
  },
  {
    $id: 'LogoutDelivery',
    description:
      'Delivery of a logout token to a client about an ended session. The token itself is not included.',
  },
);
export type LogoutDeliveryRecord = Static<typeof LogoutDeliveryRecord>;
