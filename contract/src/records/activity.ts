import Type, { type Static } from 'typebox';
import { Moment } from './moment.ts';

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

const methods = (example: number) => ({
  password: count('With a password.', example),
  message: count('With a code or link in a message.', 3),
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
      description: 'Completed logins, by their first method. A second factor is not counted again.',
    }),
    logins_failed: Type.Object(
      {
        ...methods(4),
        second_factor: count('With the code of a second factor, after another method.', 1),
      },
      {
        description:
          'Attempts with a wrong credential, or of a user who may not log in. A login that continues with a second factor is not counted.',
      },
    ),
    logins_throttled: count('Attempts over a limit.', 0),
    sessions_begun: count('Sessions opened by logins.', 50),
    tokens_issued: count(
      'Responses with an access token: of logins, of refreshes, of the token endpoint, and for impersonation.',
      420,
    ),
    requests: count('Requests, of every route.', 900),
    requests_refused: Type.Object(
      {
        unauthenticated: count('401: without a valid credential.', 6),
        forbidden: count('403: without the permission.', 2),
        throttled: count('429: too many.', 0),
      },
      { description: 'Rejected requests among them.' },
    ),
    deliveries: Type.Object(
      {
        delivered: count('Accepted by the endpoint.', 12),
        failed: count('Attempts that failed, whether or not another one follows.', 1),
      },
      { description: 'Attempts to deliver events to webhook endpoints.' },
    ),
  },
  { $id: 'ActivitySpan', description: 'The activity of a tenant during one span of time.' },
);
export type ActivitySpan = Static<typeof ActivitySpan>;
