const TOKENS = 'The answer contains tokens, which are never stored.';
const REPORT = 'A report is identified by its id, and counts once.';
const ASKS = 'It changes nothing.';

/** Every POST that ignores Idempotency-Key, by the id of its route, and why. */
export const UNREPEATABLE: Readonly<Record<string, string>> = {
  'auth.login': TOKENS,
  'flows.begin': TOKENS,
  'flows.password': TOKENS,
  'me.step_up': TOKENS,
  'flows.cancel': 'A flow that has ended stays as it is.',
  'auth.refresh':
    'A refresh token that is sent again within the retry window gets the same answer.',
  'auth.logout': 'The first request ends the session, and its token with it.',
  'auth.verify_token': ASKS,
  'userinfo.post': ASKS,
  'userinfo.post_by_issuer': ASKS,
  'auth.token': TOKENS,
  'auth.token_by_issuer': TOKENS,
  'auth.impersonate': TOKENS,
  'factors.add_totp':
    'The answer contains a secret, which is not stored; a factor that is not confirmed is without effect.',
  'factors.confirm_totp': 'A code is accepted once.',
  'flows.tokens': ASKS,
  'identifiers.send':
    'Within 30 seconds a second message is refused; after them it repeats the code.',
  'identifiers.verify': 'A code is accepted once.',
  'identifiers.undo': 'A token is accepted once.',
  'users.recover': 'Within 30 seconds a second message is refused.',
  'invitations.create': 'Within 30 seconds a second message is refused.',
  'invitations.resend': 'Within 30 seconds a second message is refused.',
  'users.import': 'A line whose identifiers are there already changes nothing.',
  'flows.message':
    'Within 30 seconds a second message is refused; after them it repeats the code and the link.',
  'flows.new_password': TOKENS,
  'flows.code': 'A code is accepted once.',
  'flows.link': 'A link is accepted once.',
  'flows.totp': 'A code is accepted once.',
  'flows.recovery_code': 'A code is accepted once.',
  'flows.enrol_totp': ASKS,
  'flows.passkey_options': 'The next challenge replaces it.',
  'flows.passkey': 'A challenge is accepted once.',
  'identities.begin': 'The next one replaces it.',
  'identities.finish': 'A handoff is accepted once.',
  'providers.test': 'The next one replaces it.',
  'providers.finish_test': 'A handoff is accepted once.',
  'providers.add_domain': 'Adding it again changes nothing.',
  'providers.verify_domain': 'Looking again changes nothing.',
  'flows.oauth': 'The next login at a provider replaces it.',
  'flows.finish_oauth': 'A handoff is accepted once.',
  'providers.callback_form': 'The browser is sent on to the same address by GET.',
  'flows.enrol_passkey_options': ASKS,
  'flows.enrol_passkey': 'A passkey is added once.',
  'factors.passkey_options': ASKS,
  'factors.add_passkey': 'A passkey is added once.',
  'flows.confirm_totp': 'A code is accepted once.',
  'factors.create_recovery_codes':
    'The answer contains secrets, which are not stored; the next ones replace them.',
  'access.evaluation': ASKS,
  'access.evaluation_by_issuer': ASKS,
  'access.evaluations': ASKS,
  'access.evaluations_by_issuer': ASKS,
  'access.explain': ASKS,
  'messaging.preview': ASKS,
  'messaging.feedback': REPORT,
  'messaging.feedback_by_issuer': REPORT,
  'apikeys.report':
    'A key that is reported again is already revoked, and the answer is always the same.',
};
