import type { Signal, StreamSignal } from '@keywright/contract/signals';

/** Why a session ended, for administrators of the receiver: by the reason that it is recorded with. */
const ENDS: Readonly<Record<string, string>> = {
  logout: 'The user logged out.',
  revoked: 'The session was ended.',
  refresh_token_reused: 'A refresh token was used twice: it may have been stolen.',
  password_changed: 'The password was changed.',
  deactivated: 'The user was disabled.',
  account_reclaimed: 'The account passed to the owner of its address.',
  identifiers_restored: 'Changes of the addresses of the account were undone.',
  user_deleted: 'The user was deleted.',
  workspace_deleted: 'The workspace was deleted.',
  consent_revoked: 'The consent for the application was taken back.',
  client_deleted: 'The application was deleted.',
  code_reused: 'An authorization code was used twice: it may have been stolen.',
  restored: 'The service was restored from a backup.',
};

const EVENTS: Readonly<Record<Signal, string>> = {
  'session-revoked': 'The session ended.',
  'credential-change': 'A credential of the user changed.',
  'account-disabled': 'The user was disabled.',
  'account-enabled': 'The user was enabled.',
  'account-purged': 'The user was deleted.',
};

/** The `reason_admin` of an event (CAEP §2); events about the stream itself have none. */
export function reasonInWords(
  type: Signal | StreamSignal,
  cause: string | null,
): string | undefined {
  const words: Readonly<Record<string, string>> = EVENTS;
  return (cause === null ? undefined : ENDS[cause]) ?? words[type];
}
