import type { EN } from './en.ts';
import type { Placeholders } from './placeholders.ts';

/** The key of a text. */
export type TextKey = keyof typeof EN;

/** The texts of one language, as ICU messages. */
export type Catalog = Readonly<Record<TextKey, string>>;

/** The names of the values that a text needs. */
export type NamesOf<Key extends TextKey> = Key extends keyof Placeholders
  ? Placeholders[Key]
  : never;

/**
 * Tenants cannot change texts that protect their readers: the requester and the target of a request, the permissions
 * of a consent or an agent, irreversible actions, warnings in messages, and events of an account. Error texts are also
 * shown where no tenant is known.
 */
const FIXED_PARTS = [
  'agents.',
  'browser.',
  'confirm.',
  'consent.',
  'data.',
  'error.',
  'invitation.',
  'leave.',
  'link.',
  'log.act.',
  'log.by.',
  'notice.',
  'scope.',
  'sms.',
  'start_again.',
  'stopped.',
  'test_login.',
  'too_old.',
  'undo.',
];

const FIXED: readonly string[] = [
  'accounts.continue',
  'codes.lead',
  'device.asks',
  'device.begun',
  'device.check',
  'device.lead_given',
  'device.shows',
  'device.warning',
  'login.lead',
  'login.linking',
  'logout.failed',
  'logout.no_return',
  'logout.not_told',
  'logout.return',
  'logout.title',
  'mail.ignore',
  'mail.invitation.ignore',
  'mail.not_you',
  'mail.open_to_undo',
  'overview.not_verified',
  'problem.link_elsewhere',
  'step.linking',
  'workspaces.accept',
  'workspaces.decline',
  'workspaces.gains',
  'workspaces.joins',
] satisfies readonly TextKey[];

/** Whether a tenant cannot replace a text. */
export function isFixed(key: TextKey): boolean {
  return FIXED.includes(key) || FIXED_PARTS.some((part) => key.startsWith(part));
}
