import Type, { type Static } from 'typebox';
import { TenantIdSchema } from '../ids.ts';
import { TextLocale } from '../locale.ts';

export const MAX_TEXT_CHARACTERS = 1000;

const Message = Type.String({
  minLength: 1,
  maxLength: MAX_TEXT_CHARACTERS,
  description: 'An ICU message, in one line.',
  examples: ['Sign in'],
});

export const TextInput = Type.Object({ text: Message }, { additionalProperties: false });

export const TextRecord = Type.Object(
  {
    tenant_id: TenantIdSchema,
    locale: TextLocale,
    key: Type.String({ description: 'Key of the text.', examples: ['login.title'] }),
    default: Type.String({
      description: 'The text that ships with the service, as an ICU message.',
      examples: ['Log in'],
    }),
    english: Type.String({
      description: 'The English text that ships with the service, for those who translate it.',
      examples: ['Log in'],
    }),
    text: Type.Union([Message, Type.Null()], {
      description: 'The text of the tenant, which replaces it.',
      examples: ['Sign in'],
    }),
    placeholders: Type.Array(Type.String(), {
      description:
        'Placeholders that the text may contain in braces. `count` and `minutes` are numbers.',
      examples: [['client']],
    }),
    tags: Type.Array(Type.String(), {
      description:
        'Tags that the text may contain: `b` for bold words, `link` for those of a link.',
      examples: [['b']],
    }),
    is_fixed: Type.Boolean({
      description: 'Whether the text cannot be changed because it protects its readers.',
      examples: [false],
    }),
  },
  { $id: 'Text', description: 'A text of pages and messages, in one language.' },
);
export type TextRecord = Static<typeof TextRecord>;
