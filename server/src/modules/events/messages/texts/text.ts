import type { MessageKind } from '@keywright/contract/messages';
import type { MessageText } from '../render.ts';
import { UNDOING } from '../template-rules.ts';

/** The kinds of text messages. */
export const SMS_KINDS = ['login', 'verification', 'second_factor'] as const;
export type SmsKind = (typeof SMS_KINDS)[number];

/** The texts of one language. */
export interface Texts extends Readonly<Record<MessageKind, MessageText>> {
  readonly sms: Readonly<Record<SmsKind, string>>;
}

type CodeKind = 'login' | 'verification' | 'recovery';

/** The sentences of one language. */
interface Sentences {
  readonly enterToLogIn: string;
  readonly orOpenToLogIn: string;
  readonly enterToVerify: string;
  readonly enterToRecover: string;
  readonly orOpen: string;
  readonly validFor: string;
  readonly ignore: string;
  readonly help: string;
  readonly time: string;
  readonly device: string;
  readonly notYou: string;
  readonly openToUndo: string;
  readonly sendToUndo: string;
  readonly invitation: {
    readonly subject: string;
    readonly what: string;
    readonly open: string;
    readonly enter: string;
    readonly validUntil: string;
    readonly ignore: string;
  };
  readonly subjects: Readonly<Record<CodeKind, string>>;
  /** Within 70 characters where they are not of GSM 03.38, else within 160, beside the host and the code. */
  readonly sms: Readonly<Record<Exclude<SmsKind, 'second_factor'>, string>>;
  readonly notices: Readonly<
    Record<
      Exclude<MessageKind, CodeKind | 'second_factor' | 'invitation'>,
      readonly [subject: string, what: string]
    >
  >;
}

export function textsOf(one: Sentences): Texts {
  const code = (kind: CodeKind, enter: string, open: string): MessageText => ({
    subject: one.subjects[kind],
    text: paragraphs(`${enter}\n{{code}}`, `${open}\n{{link}}`, one.validFor, one.ignore, one.help),
  });
  const notices = Object.entries(one.notices).map(([kind, [subject, what]]) => {
    const undo = UNDOING.includes(kind as MessageKind)
      ? [`${one.openToUndo}\n{{link}}`, `${one.sendToUndo}\n{{undo_token}}`]
      : [];
    const text = paragraphs(what, one.time, one.device, ...undo, one.notYou, one.help);
    return [kind, { subject, text }];
  });
  return {
    sms: { ...one.sms, second_factor: one.sms.login },
    login: code('login', one.enterToLogIn, one.orOpenToLogIn),
    verification: code('verification', one.enterToVerify, one.orOpen),
    recovery: code('recovery', one.enterToRecover, one.orOpen),
    // Somebody has passed the first factor: a user who did not cannot ignore it.
    second_factor: {
      subject: one.subjects.login,
      text: paragraphs(`${one.enterToLogIn}\n{{code}}`, one.validFor, one.notYou, one.help),
    },
    invitation: {
      subject: one.invitation.subject,
      text: paragraphs(
        one.invitation.what,
        `${one.invitation.open}\n{{link}}`,
        `${one.invitation.enter}\n{{invitation_token}}`,
        one.invitation.validUntil,
        one.invitation.ignore,
        one.help,
      ),
    },
    ...(Object.fromEntries(notices) as Omit<
      Texts,
      CodeKind | 'second_factor' | 'invitation' | 'sms'
    >),
  };
}

function paragraphs(...all: readonly string[]): string {
  return all.join('\n\n');
}
