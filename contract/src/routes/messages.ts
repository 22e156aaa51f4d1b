import Type from 'typebox';
import { MessageIdSchema, TenantIdSchema } from '../ids.ts';
import { LocaleText } from '../locale.ts';
import { MESSAGE_KIND_NAMES } from '../messages.ts';
import {
  MessageKindSchema,
  TemplateRecord,
  TemplateSubject,
  TemplateText,
} from '../records/message.ts';
import { EMAIL } from '../records/tenant.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { IdentifierText } from './fields.ts';

const BASE = `${API_BASE}/messaging` as const;
const VARIABLES =
  'Variables: `company`, `identifier`, `support_email`, `time`, `device`. Texts with a code also have `code`, `link`, `minutes` and `duration` (the minutes in words). Notices also have `changed`.';

const templatePath = Type.Object({
  kind: Type.String({ description: 'Kind of message.', examples: [MESSAGE_KIND_NAMES[0]] }),
  locale: Type.String({ description: 'The language.', examples: ['de'] }),
});

export const getTemplate = route({
  id: 'messaging.get_template',
  method: 'GET',
  path: `${BASE}/templates/:kind/:locale`,
  access: { scope: 'read:tenant' },
  summary: 'Get the text of a message',
  description: 'Returns the tenant’s text, or the default text that ships with the service.',
  params: templatePath,
  ok: { status: 200, body: TemplateRecord },
  errors: ['NOT_FOUND'],
});

export const putTemplate = route({
  id: 'messaging.put_template',
  method: 'PUT',
  path: `${BASE}/templates/:kind/:locale`,
  access: {
    scope: 'write:tenant',
    logins: { for: 'a text that contains a URL, a host name or an email address', instead: true },
  },
  summary: 'Set the text of a message',
  description: VARIABLES,
  params: templatePath,
  body: closed({ subject: TemplateSubject, text: TemplateText }),
  ok: { status: 200, body: TemplateRecord },
  errors: ['NOT_FOUND', 'TEMPLATE_INVALID', 'SCOPE_NOT_HELD'],
});

export const deleteTemplate = route({
  id: 'messaging.delete_template',
  method: 'DELETE',
  path: `${BASE}/templates/:kind/:locale`,
  access: { scope: 'write:tenant' },
  summary: 'Reset the text of a message to its default',
  description: 'Deletes the tenant’s text, if there is one.',
  params: templatePath,
  ok: {
    status: 200,
    body: Type.Object({
      kind: MessageKindSchema,
      locale: LocaleText,
      deleted: Type.Literal(true, { description: 'The tenant’s text no longer exists.' }),
    }),
  },
  errors: ['NOT_FOUND'],
});

export const previewMessage = route({
  id: 'messaging.preview',
  method: 'POST',
  path: `${BASE}/preview`,
  access: { scope: 'read:tenant' },
  summary: 'Preview a message',
  description:
    'Shows a message without sending it, with dummy values instead of secrets. With `subject` and `text`, previews a text that is not saved.',
  body: closed({
    kind: MessageKindSchema,
    locale: Type.Optional(LocaleText),
    subject: Type.Optional(TemplateSubject),
    text: Type.Optional(TemplateText),
  }),
  ok: {
    status: 200,
    body: Type.Object({
      subject: Type.String({ description: 'The subject.', examples: ['Sign in to Acme'] }),
      text: Type.String({ description: 'The text part.', examples: ['Your code is 12345678.'] }),
      html: Type.String({ description: 'The HTML part.', examples: ['<p>12345678</p>'] }),
      sms: Type.Optional(
        Type.Object(
          {
            text: Type.String({ description: 'The text.', examples: ['123456 is your code.'] }),
            segments: Type.Integer({
              minimum: 1,
              description: 'Number of text messages that the provider will charge for.',
              examples: [1],
            }),
          },
          {
            description:
              'The text message, which tenants cannot change. Absent if messages of this kind are sent only by email.',
          },
        ),
      ),
    }),
  },
  errors: ['TEMPLATE_INVALID'],
});

export const testMessage = route({
  id: 'messaging.test',
  method: 'POST',
  path: `${BASE}/test`,
  access: { scope: 'write:tenant', logins: { for: '`email`', instead: true } },
  summary: 'Send a test message',
  description:
    'Sends the message to any email address, or to any phone number that can receive codes by SMS if `kind` is `login` or `verification`. It contains dummy values instead of secrets. With `email`, tests email settings before they are saved. You can send ten test messages per hour.',
  body: closed({
    to: IdentifierText,
    kind: Type.Optional(MessageKindSchema),
    locale: Type.Optional(LocaleText),
    email: Type.Optional(
      Type.Partial(Type.Object(EMAIL), {
        additionalProperties: false,
        description:
          'Email settings to use instead of the saved ones. Without `smtp_password`, the saved password is used, unless the server or the user name differs.',
      }),
    ),
  }),
  idempotent: true,
  ok: { status: 201, body: Type.Object({ id: MessageIdSchema, tenant_id: TenantIdSchema }) },
  errors: [
    'VALIDATION_FAILED',
    'METHOD_NOT_READY',
    'DESTINATION_REFUSED',
    'TOO_MANY_MESSAGES',
    'SCOPE_NOT_HELD',
  ],
});

export const TEMPLATE_ROUTES = [
  getTemplate,
  putTemplate,
  deleteTemplate,
  previewMessage,
  testMessage,
];
