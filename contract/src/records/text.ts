import Type, { type Static } from 'typebox';
import { TenantIdSchema } from '../ids.ts';
import { TextLocale } from '../locale.ts';

export const MAX_TEXT_CHARACTERS = 1000;

const Message = Type.String({
  minLength: 1,
  maxLength: MAX_TEXT_CHARACTERS,
  description: 'An ICU message on a single line.',
  examples: ['Sign in'],
});

export const TextInput = Type.Object({ text: Message }, { additionalProperties: false });

export const TextRecord = Type.Object(
  {
    tenant_id: TenantIdSchema,
    locale: TextLocale,
    key: Type.String({ description: 'Key of the text.', examples: ['login.title'] }),
    default: Type.String({
      description: 'The default text that ships with the service, as an ICU message.',
      examples: ['Sign in'],
    }),
    english: Type.String({
      description: 'The default English text, for translators.',
      examples: ['Sign in'],
    }),
    text: Type.Union([Message, Type.Null()], {
      description: 'The tenant’s text, which replaces the default.',
      examples: ['Welcome back'],
    }),
    placeholders: Type.Array(Type.String(), {
      description:
        'Placeholders that the text can contain in braces. `count` and `minutes` are numbers.',
      examples: [['client']],
    }),
    tags: Type.Array(Type.String(), {
      description: 'Tags that the text can contain: `b` for bold, `link` for a link.',
      examples: [['b']],
    }),
    is_fixed: Type.Boolean({
      description: 'Whether the text cannot be changed because it protects users.',
      examples: [false],
    }),
  },
  { $id: 'Text', description: 'A text used on pages and in messages, in one language.' },
);
export type TextRecord = Static<typeof TextRecord>;
