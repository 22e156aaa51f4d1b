import Type, { type Static } from 'typebox';
import { MessageIdSchema, TenantIdSchema, UserIdSchema } from '../ids.ts';
import { LocaleText } from '../locale.ts';
import { MESSAGE_CHANNELS, MESSAGE_KIND_NAMES } from '../messages.ts';
import { LINE_OF_TEXT, LINES_OF_TEXT } from '../shape.ts';
import { CreatedAt, expiresAt, timestampOrNull } from './record-fields.ts';

export const MessageKindSchema = Type.Enum([...MESSAGE_KIND_NAMES], {
  description: 'Purpose of the message.',
});

export const TemplateSubject = Type.String({
  minLength: 1,
  maxLength: 255,
  ...LINE_OF_TEXT,
  description: 'The subject, with variables. `{{code}}` and `{{link}}` are not allowed.',
  examples: ['Sign in to {{company}}'],
});

export const TemplateText = Type.String({
  minLength: 1,
  maxLength: 8192,
  ...LINES_OF_TEXT,
  description:
    'Paragraphs with variables, separated by empty lines. A paragraph is left out if one of its variables has no value. The HTML part is generated from this text.',
  examples: ['Your code is {{code}}.'],
});

export const TemplateRecord = Type.Object(
  {
    tenant_id: TenantIdSchema,
    kind: MessageKindSchema,
    locale: LocaleText,
    subject: TemplateSubject,
    text: TemplateText,
    is_shipped: Type.Boolean({ description: 'Whether the tenant uses the default text.' }),
  },
  { $id: 'MessageTemplate', description: 'The text of one kind of message in one language.' },
);
export type TemplateRecord = Static<typeof TemplateRecord>;

export const MESSAGE_STATES = ['pending', 'sent', 'failed', 'expired', 'not_sent'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

const MaskedAddress = Type.String({
  description: 'The recipient’s email address or phone number, masked.',
  examples: ['a…@e….org'],
});

export const MessageRecord = Type.Object(
  {
    id: MessageIdSchema,
    tenant_id: TenantIdSchema,
    user_id: Type.Union([UserIdSchema, Type.Null()], {
      description:
        'The user who receives the message; `null` if the recipient is not a user, as in a test.',
    }),
    kind: MessageKindSchema,
    channel: Type.Enum([...MESSAGE_CHANNELS], { description: 'Delivery channel.' }),
    to: MaskedAddress,
    status: Type.Enum([...MESSAGE_STATES], {
      description:
        '`pending`: an attempt is due or in progress. `sent`: the mail server or provider accepted the message. `not_sent`: no user has this identifier.',
      examples: ['sent'],
    }),
    attempts: Type.Integer({ description: 'Number of attempts so far.', examples: [1] }),
    smtp_code: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'Error code of the last attempt, from the mail server; `null` if there was none.',
      examples: [550],
    }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the last attempt failed: a code and a sentence, at most 200 characters.',
      examples: ['smtp_550: 550 5.1.1 No such user'],
    }),
    next_attempt_at: timestampOrNull('Time of the next attempt; `null` if there is none.'),
    ended_at: timestampOrNull(
      'When the message was sent or given up; `null` if neither has happened.',
    ),
    expires_at: expiresAt('When the service stops trying to send the message.'),
    created_at: CreatedAt,
  },
  { $id: 'Message', description: 'A message to a user, without its text and secrets.' },
);
export type MessageRecord = Static<typeof MessageRecord>;

const SUPPRESSION_REASONS = ['bounce', 'complaint'] as const;

export const SuppressionRecord = Type.Object(
  {
    id: Type.String({
      description: 'ID of the recipient within the tenant.',
      examples: ['kXb0b6mMkbQ7P6cU0m4hL9mC2Jt3fEo1yZr8wV5nDgs'],
    }),
    tenant_id: TenantIdSchema,
    to: MaskedAddress,
    reason: Type.Enum([...SUPPRESSION_REASONS], {
      description:
        '`bounce`: the mailbox does not exist, so no messages are sent to it. `complaint`: the owner reported an email, so no notices are sent to it.',
      examples: ['bounce'],
    }),
    created_at: CreatedAt,
  },
  { $id: 'Suppression', description: 'A recipient that messages are not sent to.' },
);
export type SuppressionRecord = Static<typeof SuppressionRecord>;
