const TOKENS = 'The answer contains tokens, which are never stored.';
const ASKS = 'It changes nothing.';

/** Every POST that ignores Idempotency-Key, by the id of its route, and why. */
export const UNREPEATABLE: Readonly<Record<string, string>> = {
  'auth.login': TOKENS,
  'flows.begin': TOKENS,
  'flows.password': TOKENS,
  'flows.cancel': 'A flow that has ended stays as it is.',
  'auth.refresh':
    'A refresh token that is sent again within the retry window gets the same answer.',
  'auth.logout': 'The first request ends the session, and its token with it.',
  'auth.verify_token': ASKS,
  'auth.token': TOKENS,
  'auth.token_by_issuer': TOKENS,
  'auth.impersonate': TOKENS,
  'factors.add_totp':
    'The answer contains a secret, which is not stored; a factor that is not confirmed is without effect.',
  'factors.confirm_totp': 'A code is accepted once.',
  'flows.totp': 'A code is accepted once.',
  'flows.recovery_code': 'A code is accepted once.',
  'factors.create_recovery_codes':
    'The answer contains secrets, which are not stored; the next ones replace them.',
  'access.evaluation': ASKS,
  'access.evaluation_by_issuer': ASKS,
  'access.evaluations': ASKS,
  'access.evaluations_by_issuer': ASKS,
  'access.explain': ASKS,
  'messaging.preview': ASKS,
  'apikeys.report':
    'A key that is reported again is already revoked, and the answer is always the same.',
};
