import type { TextKey } from './keys.ts';

/**
 * Texts that protect their readers stay as they are: who asks for what and where it leads, what a consent or an agent may
 * do, what cannot be undone, warnings of messages, and what happened to an account. Those of errors are also shown where no
 * tenant is known.
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

/** Whether a tenant cannot word a text in its own way. */
export function isFixed(key: TextKey): boolean {
  return FIXED.includes(key) || FIXED_PARTS.some((part) => key.startsWith(part));
}
