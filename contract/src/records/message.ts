import Type, { type Static } from 'typebox';
import { TenantIdSchema } from '../ids.ts';
import { LocaleText } from '../locale.ts';
import { MESSAGE_KIND_NAMES } from '../messages.ts';
import { LINE_OF_TEXT, LINES_OF_TEXT } from '../shape.ts';

export const MessageKindSchema = Type.Enum([...MESSAGE_KIND_NAMES], {
  description: 'What a message is for.',
});

export const TemplateSubject = Type.String({
  minLength: 1,
  maxLength: 255,
  ...LINE_OF_TEXT,
  description: 'The subject, with variables, but neither `{{code}}` nor `{{link}}`.',
  examples: ['Log in to {{company}}'],
});

export const TemplateText = Type.String({
  minLength: 1,
  maxLength: 8192,
  ...LINES_OF_TEXT,
  description:
    'Paragraphs with variables, separated by an empty line. A paragraph with a variable that has no value is left out. The HTML part is made of it.',
  examples: ['Your code is {{code}}.'],
});

export const TemplateRecord = Type.Object(
  {
    tenant_id: TenantIdSchema,
    kind: MessageKindSchema,
    locale: LocaleText,
    subject: TemplateSubject,
    text: TemplateText,
    is_shipped: Type.Boolean({ description: 'Whether the tenant has no text of its own.' }),
  },
  { $id: 'MessageTemplate', description: 'The text of a kind of message in a language.' },
);
export type TemplateRecord = Static<typeof TemplateRecord>;
