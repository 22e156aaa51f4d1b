import type { PreviewPage } from '@keywright/contract/preview-pages';

/** The screens that texts are on, by how their keys begin, and the page that shows them. The first one that fits. */
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

/** Steps whose texts are on a page of their own. */
const STEP_PAGES: Readonly<Record<string, PreviewPage>> = {
  'step.check_mail': 'code',
  'step.sent': 'code',
  'step.send_again': 'code',
  'step.new_password': 'new_password',
  'step.save_password': 'new_password',
};

function screenOf(key: string) {
  const [beginning] = key.split('.', 1);
  return SCREENS.find(([one]) => one === beginning);
}

/** The screen that a text is on; what is not known is of the account page, which has the most. */
export function groupOf(key: string): TextGroup {
  return screenOf(key)?.[1] ?? 'account';
}

/** A page that a preview can show with the text; undefined: there is none. */
export function pageOfText(key: string): PreviewPage | undefined {
  return STEP_PAGES[key] ?? screenOf(key)?.[2];
}
