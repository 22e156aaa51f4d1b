import Type, { type Static } from 'typebox';
import { Moment } from './moment.ts';

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

const methods = (example: number) => ({
  password: count('With a password.', example),
  message: count('With a code or link from a message.', 3),
  passkey: count('With a passkey.', 5),
  provider: count('At an identity provider.', 2),
});

/** The activity in a tenant during one period. */
export const ActivitySpan = Type.Object(
  {
    began_at: Type.Unsafe<string>({
      ...Moment,
      description: 'Start of the span, in UTC.',
      examples: ['2026-11-26T12:05:00Z'],
    }),
    logins: Type.Object(methods(40), {
      description:
        'Completed logins, by first method. The second factor is not counted separately.',
    }),
    logins_failed: Type.Object(
      {
        ...methods(4),
        second_factor: count('With a second-factor code, after another method.', 1),
      },
      {
        description:
          'Attempts with a wrong credential or by a user who is not allowed to sign in. A login that continues with a second factor is not counted.',
      },
    ),
    logins_throttled: count('Attempts that exceeded a rate limit.', 0),
    sessions_begun: count('Sessions opened by logins.', 50),
    tokens_issued: count(
      'Responses that contain an access token: logins, refreshes, the token endpoint and impersonations.',
      420,
    ),
    requests: count('Requests to all routes.', 900),
    requests_refused: Type.Object(
      {
        unauthenticated: count('401: no valid credential.', 6),
        forbidden: count('403: missing permission.', 2),
        throttled: count('429: rate limit exceeded.', 0),
      },
      { description: 'Rejected requests, by status.' },
    ),
    deliveries: Type.Object(
      {
        delivered: count('Attempts that the endpoint accepted.', 12),
        failed: count('Failed attempts, including those that will be retried.', 1),
      },
      { description: 'Attempts to deliver events to webhook endpoints.' },
    ),
  },
  { $id: 'ActivitySpan', description: 'A tenant’s activity during one span of time.' },
);
export type ActivitySpan = Static<typeof ActivitySpan>;
