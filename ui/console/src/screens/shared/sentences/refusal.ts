import type { SentenceKey } from '../../../texts/sentences.ts';

const EXACT: ReadonlySet<string> = new Set([
  'identifier_unknown',
  'user_inactive',
  'method_not_allowed',
  'secret_wrong',
  'mfa_required',
  'verification_required',
  'password_breached',
  'workspace_unknown',
  'changed_meanwhile',
  'throttled',
]);

const PATTERNS: readonly (readonly [RegExp, SentenceKey])[] = [
  [/throttled|too many/, 'refused.throttled'],
  [/^totp_/, 'refused.totp'],
  [/^recovery_code_/, 'refused.recovery'],
  [/^(?:code|sms|email|message)_/, 'refused.code'],
  [/^link_/, 'refused.link'],
  [/^passkey_counter$/, 'refused.passkey_copy'],
  [/^passkey_/, 'refused.passkey'],
  [/^provider_oauth_authorization_response_error$/, 'refused.provider_declined'],
  [/^provider_/, 'refused.provider'],
];

/** Returns the words for the reason that the audit log gives for a rejected sign-in. */
export function refusalOf(reason: string): SentenceKey {
  if (EXACT.has(reason)) return `refused.${reason}` as SentenceKey;
  return PATTERNS.find(([pattern]) => pattern.test(reason))?.[1] ?? 'refused.other';
}
