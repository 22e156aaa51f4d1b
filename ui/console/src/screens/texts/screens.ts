import type { PreviewPage } from '@keywright/contract/preview-pages';

/** The screens of texts, by the start of their keys, and the page that shows them. The first match applies. */
const SCREENS = [
  ['login', 'login', 'login'],
  ['field', 'login', 'login'],
  ['action', 'login', 'login'],
  ['footer', 'login', 'login'],
  ['problem', 'login', 'login_failed'],
  ['browser', 'login', undefined],
  ['typed', 'login', undefined],
  ['registration', 'registration', 'registration'],
  ['invitation', 'registration', 'invitation'],
  ['code', 'steps', 'code'],
  ['step', 'steps', 'second_factor'],
  ['link', 'steps', undefined],
  ['recovery', 'steps', 'recovery'],
  ['passkey', 'factors', undefined],
  ['totp', 'factors', undefined],
  ['codes', 'factors', 'recovery_codes'],
  ['consent', 'consents', 'consent'],
  ['scope', 'consents', 'consent'],
  ['accounts', 'consents', 'accounts'],
  ['device', 'consents', 'device'],
  ['logout', 'logout', 'logout'],
  ['leave', 'logout', undefined],
  ['too_old', 'errors', undefined],
  ['error', 'errors', undefined],
  ['mail', 'messages', undefined],
  ['sms', 'messages', undefined],
  ['notice', 'messages', undefined],
] as const satisfies readonly (readonly [string, string, PreviewPage | undefined])[];

export const TEXT_GROUPS = [
  'login',
  'registration',
  'steps',
  'factors',
  'consents',
  'logout',
  'account',
  'messages',
  'errors',
] as const;
export type TextGroup = (typeof TEXT_GROUPS)[number];

/** Steps whose texts are on their own page. */
const STEP_PAGES: Readonly<Record<string, PreviewPage>> = {
  'step.check_mail': 'code',
  'step.sent': 'code',
  'step.send_again': 'code',
  'step.new_password': 'new_password',
  'step.save_password': 'new_password',
};

function screenOf(key: string) {
  const [prefix] = key.split('.', 1);
  return SCREENS.find(([screenPrefix]) => screenPrefix === prefix);
}

/** Returns the screen of a text. Unknown texts belong to the account page, which has the most. */
export function groupOf(key: string): TextGroup {
  return screenOf(key)?.[1] ?? 'account';
}

/** Returns the page that shows most texts of a screen; undefined: there is none. */
export function pageOfGroup(group: TextGroup): PreviewPage | undefined {
  return SCREENS.find(([, screen, page]) => screen === group && page !== undefined)?.[2];
}

/** Returns a page that can preview the text; undefined: there is none. */
export function pageOfText(key: string): PreviewPage | undefined {
  return STEP_PAGES[key] ?? screenOf(key)?.[2];
}
