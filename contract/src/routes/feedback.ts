import Type from 'typebox';
import { ISSUER_PATH, atIssuer } from '../issuer-routes.ts';
import { secret } from '../records/tokens.ts';
import { API_BASE, FOR_LOGINS, route } from '../route.ts';

const EXAMPLE_TOKEN = 'ZmVlZGJhY2stb2YtYW4tZXhhbXBsZS10ZW5hbnQtMDA';

const text = (maxLength: number, description: string, example: string) =>
  Type.Optional(Type.String({ maxLength, description, examples: [example] }));

export const getFeedbackAddress = route({
  id: 'messaging.get_feedback_address',
  method: 'GET',
  path: `${API_BASE}/messaging/feedback`,
  access: FOR_LOGINS,
  fresh: {},
  summary: 'Get the URL where mail providers report bounces',
  description:
    'The URL contains a secret. Anyone who has it can stop messages to any user, so give it only to your mail provider. It does not change during the tenant’s lifetime.',
  ok: {
    status: 200,
    body: Type.Object({
      url: secret({
        description: 'URL that reports are posted to.',
        examples: [`https://id.example.com/t/org_acme/messaging/feedback/${EXAMPLE_TOKEN}`],
      }),
    }),
  },
  errors: ['SCOPE_NOT_HELD'],
});

export const receiveFeedback = route({
  id: 'messaging.feedback',
  method: 'POST',
  path: `${API_BASE}/messaging/feedback/:token`,
  access: 'tenant',
  summary: 'Report a bounce or a complaint',
  description:
    'For mail providers. Accepts three formats: the schema below; Amazon SES notifications through Amazon SNS, whose signatures are verified and whose subscriptions are confirmed; and Postmark webhooks. Unknown fields, other kinds of reports and repeated reports are ignored.',
  params: Type.Object({
    token: Type.String({ description: 'The secret in the URL.', examples: [EXAMPLE_TOKEN] }),
  }),
  body: Type.Object(
    {
      type: Type.Optional(
        Type.Enum(['bounce', 'complaint'], {
          description: '`bounce`: the mailbox does not exist or rejects all mail.',
        }),
      ),
      id: text(255, 'ID of the report. A report with a known ID is ignored.', 'report-1'),
      email: text(254, 'Email address of the mailbox.', 'ada@example.com'),
      at: text(64, 'Time of the report (ISO 8601).', '2026-11-22T09:30:00Z'),
    },
    {
      additionalProperties: true,
      description: 'A report. Amazon SNS and Postmark send their own fields instead.',
    },
  ),
  form: 'text',
  ok: {
    status: 200,
    body: Type.Object({
      suppressed: Type.Integer({
        description: 'Number of recipients that were suppressed because of the report.',
        examples: [1],
      }),
    }),
  },
  errors: ['NOT_FOUND', 'FEEDBACK_REFUSED', 'TOO_MANY_MESSAGES'],
});

export const receiveFeedbackByIssuer = atIssuer(receiveFeedback, {
  id: 'messaging.feedback_by_issuer',
  path: `${ISSUER_PATH}/messaging/feedback/:token`,
  summary: 'Report a bounce or a complaint, at the issuer URL',
});
