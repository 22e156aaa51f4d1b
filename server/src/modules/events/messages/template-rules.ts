import type { MessageKind } from '@keywright/contract/messages';
import type { MessageText } from './message.ts';

const COMMON = ['company', 'identifier', 'support_email', 'time', 'device'];
/** How long the code and the link are valid, as a number and in words, such as `10 minutes`. */
const VALIDITY = ['minutes', 'duration'];
/** The kinds of messages whose secret undoes the change that they report. */
export const UNDOING: readonly MessageKind[] = [
  'notice.identifier_added',
  'notice.identifier_removed',
  'notice.identifier_primary',
];

/** Whether the text of this kind cannot be replaced, because it warns about the people who could replace it. */
export function isFixedKind(kind: MessageKind): boolean {
  return kind === 'notice.logins_changed';
}

/** The variables that a text of this kind can contain. */
function variablesOf(kind: MessageKind): readonly string[] {
  if (kind === 'invitation') return [...COMMON, 'link', 'valid_until'];
  if (kind === 'second_factor') return [...COMMON, 'code', ...VALIDITY];
  if (!kind.startsWith('notice.')) return [...COMMON, 'code', 'link', ...VALIDITY];
  const undo = UNDOING.includes(kind) ? ['link'] : [];
  return [...COMMON, 'changed', ...undo];
}

/**
 * Why a text cannot be used. Only its recipients would notice a mistake, and the owner of a stolen administrator token
 * would add a link to another host.
 */
export function objectionToText(
  kind: MessageKind,
  { subject, text }: MessageText,
  domains: readonly string[],
): string | undefined {
  if (isFixedKind(kind)) return `The text of ${kind} cannot be replaced.`;
  const known = variablesOf(kind);
  const all = `${subject}\n${text}`;
  const used = [...all.matchAll(/\{\{(.*?)\}\}/gs)].map(([, name = '']) => name);
  const unknown = used.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    return `{{${unknown.slice(0, 64)}}} is no variable of ${kind}. Known are: ${known.join(', ')}.`;
  }
  if (/\{\{|\}\}/.test(all.replaceAll(/\{\{.*?\}\}/gs, ''))) {
    return 'Braces are open or closed twice outside of a variable.';
  }
  if (/\{\{(code|link)\}\}/.test(subject)) {
    return 'The subject must not contain {{code}} or {{link}}: it is shown on locked screens.';
  }
  if (known.includes('code') && !/\{\{(code|link)\}\}/.test(text)) {
    return 'The text must contain {{code}} or {{link}}.';
  }
  if (kind === 'invitation' && !text.includes('{{link}}')) {
    return 'The text must contain {{link}}.';
  }
  const foreign = addressesIn(all).find((host) => !isOf(host, domains));
  return foreign === undefined
    ? undefined
    : `The text must not contain an address of ${foreign}: only {{link}} and domains of the tenant.`;
}

/** The hosts that email programs would turn into links. */
function addressesIn(text: string): string[] {
  return [...text.matchAll(/(?:[a-z][a-z0-9+.-]*:\/\/|\bwww\.)([^\s/?#<>"']*)/gi)].map(
    ([whole, rest = '']) => {
      const host = whole.toLowerCase().startsWith('www.') ? whole : rest;
      return host
        .replace(/^.*@/, '')
        .replace(/[:.,;)]+\d*$/, '')
        .toLowerCase();
    },
  );
}

function isOf(host: string, domains: readonly string[]): boolean {
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}

/** Placeholder values for previews and tests, instead of secrets and event data. */
export const DUMMIES = {
  code: '12345678',
  minutes: '10',
  time: '2026-01-01T12:00:00Z',
  device: 'Firefox',
  changed: 'new@example.com',
  valid_until: '2026-01-08T12:00:00Z',
  what: 'provider_added',
  actor: 'ada@example.com',
};
/** The code in previews and tests of text messages. */
export const DUMMY_CODE = '123456';
