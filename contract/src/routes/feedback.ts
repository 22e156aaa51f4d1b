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
  summary: 'Read where mail providers report bounces',
  description:
    'The address contains a secret, with which reports can keep mail from any user: give it to the mail provider only. It is the same for the life of the tenant.',
  ok: {
    status: 200,
    body: Type.Object({
      url: secret({
        description: 'Where reports are posted to.',
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
    'For mail providers, in one of three formats: that of the schema; notifications of Amazon SES through Amazon SNS, whose signature is checked and whose subscriptions are confirmed; webhooks of Postmark. Other fields are ignored, and so are reports of other kinds and repeated ones.',
  params: Type.Object({
    token: Type.String({ description: 'Secret of the address.', examples: [EXAMPLE_TOKEN] }),
  }),
  body: Type.Object(
    {
      type: Type.Optional(
        Type.Enum(['bounce', 'complaint'], {
          description: '`bounce`: the mailbox does not exist, or refuses all mail.',
        }),
      ),
      id: text(255, 'Identifies the report: one with the same id is ignored.', 'report-1'),
      email: text(254, 'The address of the mailbox.', 'ada@example.com'),
      at: text(64, 'When it was reported (ISO 8601).', '2026-11-22T09:30:00Z'),
    },
    {
      additionalProperties: true,
      description: 'A report. Amazon SNS and Postmark send fields of their own instead.',
    },
  ),
  form: 'text',
  ok: {
    status: 200,
    body: Type.Object({
      suppressed: Type.Integer({
        description: 'Number of addresses that are suppressed because of it.',
        examples: [1],
      }),
    }),
  },
  errors: ['NOT_FOUND', 'FEEDBACK_REFUSED', 'TOO_MANY_MESSAGES'],
});

export const receiveFeedbackByIssuer = atIssuer(receiveFeedback, {
  id: 'messaging.feedback_by_issuer',
  path: `${ISSUER_PATH}/messaging/feedback/:token`,
  summary: 'Report a bounce or a complaint, at the address of the issuer',
});
