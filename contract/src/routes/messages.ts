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
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { IdentifierText } from './fields.ts';

const BASE = `${API_BASE}/messaging` as const;
const VARIABLES =
  'Variables: `company`, `identifier`, `support_email`, `time`, `device`; in texts with a code also `code`, `link`, `minutes` and `duration` (the minutes in words); in notices also `changed`.';

const templatePath = Type.Object({
  kind: Type.String({ description: 'The kind of message.', examples: [MESSAGE_KIND_NAMES[0]] }),
  locale: Type.String({ description: 'The language.', examples: ['de'] }),
});

export const getTemplate = route({
  id: 'messaging.get_template',
  method: 'GET',
  path: `${BASE}/templates/:kind/:locale`,
  access: { scope: 'read:tenant' },
  summary: 'Read the text of a message',
  description: 'That of the tenant, or the one that ships with the service.',
  params: templatePath,
  ok: { status: 200, body: TemplateRecord },
  errors: ['NOT_FOUND'],
});

export const putTemplate = route({
  id: 'messaging.put_template',
  method: 'PUT',
  path: `${BASE}/templates/:kind/:locale`,
  access: { scope: 'write:tenant', logins: { for: 'a text that names an address', instead: true } },
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
  description: 'Deletes the text of the tenant, if it has one.',
  params: templatePath,
  ok: {
    status: 200,
    body: Type.Object({
      kind: MessageKindSchema,
      locale: LocaleText,
      deleted: Type.Literal(true, { description: 'The tenant no longer has such a text.' }),
    }),
  },
  errors: ['NOT_FOUND'],
});

export const previewMessage = route({
  id: 'messaging.preview',
  method: 'POST',
  path: `${BASE}/preview`,
  access: { scope: 'read:tenant' },
  summary: 'Show a message without sending it',
  description:
    'With dummy values instead of secrets; with `subject` and `text`, a text that is not saved.',
  body: closed({
    kind: MessageKindSchema,
    locale: Type.Optional(LocaleText),
    subject: Type.Optional(TemplateSubject),
    text: Type.Optional(TemplateText),
  }),
  ok: {
    status: 200,
    body: Type.Object({
      subject: Type.String({ description: 'The subject.', examples: ['Log in to Acme'] }),
      text: Type.String({ description: 'The text part.', examples: ['Your code is 12345678.'] }),
      html: Type.String({ description: 'The HTML part.', examples: ['<p>12345678</p>'] }),
      sms: Type.Optional(
        Type.Object(
          {
            text: Type.String({ description: 'The text.', examples: ['123456 is your code.'] }),
            segments: Type.Integer({
              minimum: 1,
              description: 'How many text messages it is billed as.',
              examples: [1],
            }),
          },
          {
            description:
              'The text message, which tenants cannot change; absent: this kind is sent by mail only.',
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
  access: { scope: 'write:tenant' },
  summary: 'Send a test message',
  description:
    'To any address, or any phone number that gets codes by SMS (then `kind` is `login` or `verification`); ten an hour, with dummy values instead of secrets.',
  body: closed({
    to: IdentifierText,
    kind: Type.Optional(MessageKindSchema),
    locale: Type.Optional(LocaleText),
  }),
  idempotent: true,
  ok: { status: 201, body: Type.Object({ id: MessageIdSchema, tenant_id: TenantIdSchema }) },
  errors: ['VALIDATION_FAILED', 'METHOD_NOT_READY', 'DESTINATION_REFUSED', 'TOO_MANY_MESSAGES'],
});

export const TEMPLATE_ROUTES = [
  getTemplate,
  putTemplate,
  deleteTemplate,
  previewMessage,
  testMessage,
];
