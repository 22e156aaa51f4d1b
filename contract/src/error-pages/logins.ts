import type { ErrorPages } from './page.ts';

const FLOW = '/auth/flows/login_01m7z2d5jfe9zr0j4dgg8m5yx4';
const FLOW_TOKEN = '<flow_token>';

/** Errors of logins, sessions and factors. */
export const LOGIN_PAGES = {
  INVALID_CREDENTIALS: {
    causes: [
      'The password is wrong, or the identifier does not belong to a user in this tenant. The response is the same in both cases, and takes the same time.',
      'The user exists in another tenant: each tenant has its own users.',
      'The user is inactive, or has no password because they sign in with a passkey or an identity provider.',
      'Passwords are not among the `allowed_login_methods` of the tenant, or an imported password has expired (`import_expires_at`).',
    ],
    fixes: [
      'First check the request’s tenant: `X-Tenant-ID`, or the host name.',
      'As an administrator, find the user with `GET /users?email=…`, and send a recovery message with `POST /users/{user_id}/recovery`.',
      'The audit log has an entry for each failed login, including the reason, which the response does not disclose.',
    ],
    example: {
      request: 'POST /auth/login',
      body: { identifier: 'ada@example.com', secret: 'wrong' },
    },
    guides: ['guide/sessions.md', 'guide/audit.md', 'guide/recover-accounts.md'],
  },
  MFA_REQUIRED: {
    causes: [
      'The password is correct, and a second factor is required: the user has one, or the tenant requires one for all users (`require_mfa`) or for a role (`require_mfa_role`).',
      'Your application uses `POST /auth/login` and ignores `flow` in the response.',
    ],
    fixes: [
      'Continue with the flow in the body: `needs` lists the possible steps, such as `totp` or `passkey`. Send each step to `/auth/flows/{flow_id}/…` with the `flow_token`.',
      'If the user has no second factor, the flow lets the user add one.',
      'Use the hosted login page instead: it shows all steps without code in your application.',
    ],
    example: {
      request: 'POST /auth/login',
      body: { identifier: 'ada@example.com', secret: 'correct horse battery' },
    },
    guides: ['guide/second-factors.md', 'guide/sessions.md', 'guide/add-login.md'],
  },
  NEW_PASSWORD_REQUIRED: {
    causes: [
      'The password is correct, but it is known from a data breach, and the tenant requires a new one at login (`breached_at_login` is `require`).',
    ],
    fixes: [
      'Continue with the flow in the body: ask the user for a new password, and send it to `/auth/flows/{flow_id}/new-password` with the `flow_token`.',
      'Explain to the user that the password was exposed elsewhere, and that reusing it is the problem.',
      'The hosted login page does all of this without code in your application.',
    ],
    example: {
      request: 'POST /auth/login',
      body: { identifier: 'ada@example.com', secret: 'password123' },
    },
    guides: ['guide/sessions.md', 'guide/outgoing-calls.md'],
  },
  VERIFICATION_REQUIRED: {
    causes: [
      'The password is correct, but the tenant requires a verified email address or phone number (`require_verified_identifier`), and the user has not verified one.',
      'An import or a script created users without `verified: true`.',
    ],
    fixes: [
      'Continue with the flow in the body: `POST /auth/flows/{flow_id}/message` sends a code, and `/code` verifies it.',
      'If you verified the identifiers before an import, an administrator can set `verified: true` with `PATCH /users/{user_id}`.',
      'If the body has no flow, the tenant cannot send messages: configure a mail server or an SMS provider.',
    ],
    example: {
      request: 'POST /auth/login',
      body: { identifier: 'ada@example.com', secret: 'correct horse battery' },
    },
    guides: ['guide/magic-links.md', 'guide/mail.md', 'migrate/index.md'],
  },
  FLOW_ENDED: {
    causes: [
      'The flow is older than 15 minutes, was completed, or was canceled.',
      'The `flow_token` does not belong to the flow in the path.',
      'The user’s account, password or factors changed during the login, so that earlier steps no longer prove anything.',
      'Too many wrong codes were entered in this flow.',
    ],
    fixes: [
      'Start another flow with `POST /auth/flows`, and send its ID and its `flow_token` together.',
      'Keep both values in memory for only one login. Do not share them between browser tabs.',
      'Show the user a link that restarts the login, not only an error.',
    ],
    example: {
      request: `POST ${FLOW}/password`,
      body: { flow_token: FLOW_TOKEN, secret: 'correct horse battery' },
    },
    guides: ['guide/sessions.md', 'guide/magic-links.md', 'guide/change-identifiers.md'],
  },
  STEP_NOT_NEEDED: {
    causes: [
      'Your code sends a step that the flow does not currently need: for example, a code before a message was sent, or a password after a passkey was accepted.',
      'The user clicked twice, and the first click completed the step.',
      'The tenant does not allow this login method, or the user has not set it up.',
    ],
    fixes: [
      'Read the flow with `GET /auth/flows/{flow_id}`, and offer only the steps in `needs`.',
      'Update your state from each response: every step returns the flow with its new `needs`.',
      'Disable the button while a step is being sent.',
    ],
    example: {
      request: `POST ${FLOW}/totp`,
      body: { flow_token: FLOW_TOKEN, code: '123456' },
    },
    guides: ['guide/sessions.md', 'guide/second-factors.md'],
  },
  CODE_WRONG: {
    causes: [
      'The user mistyped the code, or entered the code from an earlier message. Only the latest code works.',
      'The code has expired: emailed and texted codes are valid for 10 minutes, codes from an authenticator app for about 30 seconds.',
      'The code was already used. Each code works once.',
      'The phone’s or the server’s clock is wrong, so that codes from an authenticator app do not match.',
    ],
    fixes: [
      'If the body contains `guesses_left`, show it: the flow ends when it reaches 0.',
      'Let the user request a new message, and enter the newest code.',
      'Turn on automatic time on the phone, and check the server’s clock with `keywright doctor`.',
    ],
    example: {
      request: `POST ${FLOW}/code`,
      body: { flow_token: FLOW_TOKEN, code: '123456' },
      guessesLeft: 4,
    },
    guides: ['guide/magic-links.md', 'guide/second-factors.md', 'guide/devices.md'],
  },
  PASSKEY_REFUSED: {
    causes: [
      'The passkey belongs to another user or was removed. If it is unknown, the body contains `unknown_passkey`, which lets a browser remove the passkey.',
      'The challenge has expired or was already used: options are valid for one attempt.',
      'The page’s origin does not match the tenant’s passkey domain. IP addresses and `http` outside `localhost` do not work.',
      'The signature counter went backward, which suggests a copied authenticator.',
    ],
    fixes: [
      'Request new options, and call `navigator.credentials` with exactly these options.',
      'Serve the login over https at the issuer’s host name.',
      'Let the user sign in with another method and register a new passkey on the account page.',
    ],
    example: {
      request: `POST ${FLOW}/passkey`,
      body: '@assertion.json',
    },
    guides: ['guide/passkeys.md'],
  },
  LINK_ELSEWHERE: {
    causes: [
      'The user opened the link in a different browser or on a different device than the one that requested the message.',
      'A mail client or a scanner opened the link first.',
    ],
    fixes: [
      'Let the user enter the code from the same message in the original browser, or continue with the link in this browser: the hosted page offers both.',
      'On your own page, start a new flow with `continue` and the link’s token.',
      'The service does not sign the first browser in, because an attacker could have requested the message from it.',
    ],
    example: {
      request: `POST ${FLOW}/link`,
      body: { flow_token: FLOW_TOKEN, link_token: '<link_token>' },
    },
    guides: ['guide/magic-links.md'],
  },
  REFRESH_TOKEN_REUSED: {
    causes: [
      'A refresh token was used again after it had been replaced. Each refresh returns a new refresh token, and the old one must not be used again. Because the token could be stolen, the session has ended.',
      'Two processes or tabs share one refresh token, and one of them uses an old copy.',
      'The response to a refresh was lost, and the retry came after the retry window (`refresh_retry_window`, 30 seconds by default).',
    ],
    fixes: [
      'Sign in again. The session cannot be restored.',
      'Store the new refresh token before you use the new access token, and let only one process per session refresh.',
      'Retry a lost refresh immediately with the same token: within the window, it returns the same new token.',
    ],
    example: { request: 'POST /auth/refresh', body: { refresh_token: '<used token>' } },
    guides: ['guide/sessions.md', 'guide/sdk-client.md'],
  },
  PROOF_REQUIRED: {
    causes: [
      'A user tries to undo a change of their email address or phone number with the link in a notice, without a proof that the account had before the change: its password, an authenticator app or a passkey.',
      'The proof is wrong, or belongs to a factor that was added after the change.',
    ],
    fixes: [
      'Ask the user for one of the proofs that the undo page lists, and send it with the link’s token.',
      'If the user has lost all of them, an administrator must restore the account after checking the user’s identity.',
      'The link is not enough, because an attacker could read the mailbox.',
    ],
    example: {
      request: 'POST /auth/identifiers/undo',
      body: { undo_token: '<token of the link>' },
      detail:
        'Undoing this change requires a proof that the account had earlier: its password, a code of an authenticator app, or a passkey.',
    },
    guides: ['guide/change-identifiers.md', 'guide/account-page.md'],
  },
  TOO_MANY_FACTORS: {
    causes: [
      'The user has 20 factors, which is the maximum for passkeys, authenticator apps and recovery codes together.',
      'A test registers passkeys for one user and never removes them.',
    ],
    fixes: [
      'List the factors with `GET /me/factors`, and remove unused ones with `DELETE /me/factors/{factor_id}`.',
      'Show `last_used_at` to the user, so that they can recognize old devices.',
      'In tests, create a user for each run.',
    ],
    example: { request: 'POST /me/factors/totp', body: { name: 'Phone' } },
    guides: ['guide/second-factors.md', 'guide/passkeys.md'],
  },
  FACTOR_REQUIRED: {
    causes: [
      'The tenant requires a second factor (`require_mfa`), and the request would remove the user’s last one.',
    ],
    fixes: [
      'First add another passkey or authenticator app, then remove the old one.',
      'As an administrator, you can remove a user’s lost factor with `DELETE /users/{user_id}/factors/{factor_id}`. The user adds a new one at the next login.',
      'If a second factor should be optional, set `require_mfa` to `false`.',
    ],
    example: { request: 'DELETE /me/factors/fct_01m7z2d5jfe9zr0j4dgg8m5yx4' },
    guides: ['guide/second-factors.md'],
  },
  FACTOR_MISSING: {
    causes: [
      'The user requests recovery codes but does not have a second factor. Recovery codes replace a lost authenticator app or passkey; without one they have no purpose.',
    ],
    fixes: [
      'Add an authenticator app with `POST /me/factors/totp`, or a passkey with `POST /me/factors/passkeys`, and confirm it.',
      'Then request the codes. The response shows them once, and replaces earlier codes.',
    ],
    example: { request: 'POST /me/factors/recovery-codes' },
    guides: ['guide/second-factors.md', 'guide/passkeys.md'],
  },
  CURRENT_PASSWORD_WRONG: {
    causes: [
      'A user tries to change their password, and `current_password` is not their current password.',
      'The user has no password: they sign in with a passkey, a code or an identity provider.',
      'Another request changed the password at the same time.',
    ],
    fixes: [
      'Let the user enter the current password again. Attempts are limited like logins: too many return `TOO_MANY_ATTEMPTS`.',
      'Users who have no password or forgot it can set one with a recovery message, which the login page sends.',
      'An administrator cannot read a password, but can send the recovery message.',
    ],
    example: {
      request: 'PATCH /me',
      body: { current_password: 'wrong', password: 'a new long password' },
    },
    guides: ['guide/account-page.md', 'guide/recover-accounts.md'],
  },
} as const satisfies ErrorPages;
