import type { ErrorPages } from './page.ts';

const FLOW = '/auth/flows/login_01m7z2d5jfe9zr0j4dgg8m5yx4';
const FLOW_TOKEN = '<flow_token>';

/** Errors of logins, sessions and factors. */
export const LOGIN_PAGES = {
  INVALID_CREDENTIALS: {
    causes: [
      'The password is wrong, or the identifier belongs to no user of this tenant. The response is the same in both cases, and takes the same time.',
      'The user exists in another tenant: each tenant has its own users.',
      'The user is inactive, or has no password because they sign in with a passkey or an identity provider.',
      'Passwords are not among the `allowed_login_methods` of the tenant, or an imported password has expired (`import_expires_at`).',
    ],
    fixes: [
      'Check the tenant of the request first: `X-Tenant-ID`, or the host name.',
      'As an administrator, find the user with `GET /users?email=…`, and send a recovery message with `POST /users/{user_id}/recovery`.',
      'The audit log has an entry for each failed login, with the reason that the response does not disclose.',
    ],
    example: {
      request: 'POST /auth/login',
      body: { identifier: 'ada@example.com', secret: 'wrong' },
    },
    guides: ['guide/sessions.md', 'guide/audit.md', 'guide/magic-links.md'],
  },
  MFA_REQUIRED: {
    causes: [
      'The password is right, and a second factor is required: the user has one, or the tenant or a role of the user requires one (`require_mfa`, `require_mfa_role`).',
      'Your application uses `POST /auth/login` and ignores `flow` in the response.',
    ],
    fixes: [
      'Continue with the flow in the body: `needs` lists the possible steps, such as `totp` or `passkey`. Send each step to `/auth/flows/{flow_id}/…` with the `flow_token`.',
      'If the user has no factor, the flow offers to add one.',
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
      'The password is right, but it is known from a data breach, and the tenant requires a new one at login (`breached_at_login` is `require`).',
    ],
    fixes: [
      'Continue with the flow in the body: ask the user for a new password, and send it to `/auth/flows/{flow_id}/new-password` with the `flow_token`.',
      'Explain to the user that the password became public somewhere else, and that reusing it is the problem.',
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
      'The password is right, but the tenant requires a verified email address or phone number (`require_verified_identifier`), and the user has not verified one.',
      'An import or a script created users without `verified: true`.',
    ],
    fixes: [
      'Continue with the flow in the body: `POST /auth/flows/{flow_id}/message` sends a code, and `/code` proves it.',
      'If you verified the addresses before an import, import the users again with `verified: true`.',
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
      'The user, their password or their factors changed during the login, so that earlier steps no longer prove anything.',
      'Too many wrong codes were entered in this flow.',
    ],
    fixes: [
      'Start another flow with `POST /auth/flows`, and send its ID and its `flow_token` together.',
      'Keep both values in memory for one login only. Do not share them between browser tabs.',
      'Show the user a link to the start of the login, not only an error.',
    ],
    example: {
      request: `POST ${FLOW}/password`,
      body: { flow_token: FLOW_TOKEN, secret: 'correct horse battery' },
    },
    guides: ['guide/sessions.md', 'guide/magic-links.md'],
  },
  STEP_NOT_NEEDED: {
    causes: [
      'Your code sends a step that the flow does not need now: for example a code before a message was sent, or a password after a passkey was accepted.',
      'The user clicked twice, and the first click completed the step.',
      'The tenant does not allow this login method, or the user does not have it.',
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
      'The user mistyped the code, or entered the code of an earlier message. Only the latest code counts.',
      'The code has expired: codes of messages are valid for 10 minutes, codes of an authenticator app for about 30 seconds.',
      'The code was already used. Each code works once.',
      'The clock of the phone or of the server is wrong, so that codes of an authenticator app do not match.',
    ],
    fixes: [
      'Show `guesses_left`, if the body has it: the flow ends when it reaches 0.',
      'Let the user request a new message, and enter the newest code.',
      'Turn on automatic time on the phone, and check the clock of the server with `keywright doctor`.',
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
      'The passkey belongs to another user or was removed. If it is unknown, the body has `unknown_passkey`, with which a browser can remove it.',
      'The challenge has expired or was used: options are valid for one attempt.',
      'The page is at another origin than the passkey domain of the tenant. IP addresses and `http` outside `localhost` do not work.',
      'The signature counter went backward, which suggests a copied authenticator.',
    ],
    fixes: [
      'Request new options, and call `navigator.credentials` with exactly these options.',
      'Serve the login at the host name of the issuer, over https.',
      'Let the user sign in another way and register a new passkey on the account page.',
    ],
    example: {
      request: `POST ${FLOW}/passkey`,
      body: '@assertion.json',
    },
    guides: ['guide/passkeys.md'],
  },
  LINK_ELSEWHERE: {
    causes: [
      'The user opened the link of a message in another browser or on another device than the one that requested it.',
      'A mail client or a scanner opened the link first.',
    ],
    fixes: [
      'Let the user type the code of the same message where they started, or continue with the link in this browser: the hosted page offers both.',
      'In your own page, start a new flow with `continue` and the token of the link.',
      'The service does not sign the first browser in, because an attacker could have requested the message there.',
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
      'The response of a refresh was lost, and the retry came after the retry window (`refresh_retry_window`, 30 seconds by default).',
    ],
    fixes: [
      'Sign in again. The session cannot be restored.',
      'Store the new refresh token before you use the new access token, and let one process per session refresh.',
      'Retry a lost refresh immediately, with the same token: within the window it returns the same successor.',
    ],
    example: { request: 'POST /auth/refresh', body: { refresh_token: '<used token>' } },
    guides: ['guide/sessions.md', 'guide/sdk.md'],
  },
  PROOF_REQUIRED: {
    causes: [
      'A user undoes a change of their email address or phone number with the link in a notice, and did not prove something that the account had before the change: its password, an authenticator app or a passkey.',
      'The proof is wrong, or belongs to a factor that was added after the change.',
    ],
    fixes: [
      'Ask for one of the proofs that the page for undoing lists, and send it with the token of the link.',
      'If the user has lost all of them, an administrator must restore the account after checking who the user is.',
      'The link is not enough, because an attacker could read the mailbox.',
    ],
    example: {
      request: 'POST /auth/identifiers/undo',
      body: { undo_token: '<token of the link>' },
    },
    guides: ['guide/magic-links.md', 'guide/account-page.md'],
  },
  TOO_MANY_FACTORS: {
    causes: [
      'The user has 20 factors, which is the maximum: passkeys, authenticator apps and recovery codes together.',
      'A test registers passkeys for one user and never removes them.',
    ],
    fixes: [
      'List the factors with `GET /me/factors`, and remove those that are no longer used with `DELETE /me/factors/{factor_id}`.',
      'Show `last_used_at` to the user, so that they recognize old devices.',
      'In tests, create a user for each run.',
    ],
    example: { request: 'POST /me/factors/totp', body: { name: 'Phone' } },
    guides: ['guide/second-factors.md', 'guide/passkeys.md'],
  },
  FACTOR_REQUIRED: {
    causes: [
      'The tenant requires a second factor (`require_mfa`), and the request would remove the last one of the user.',
    ],
    fixes: [
      'Add another passkey or authenticator app first, and then remove the old one.',
      'As an administrator, you can remove a lost factor of a user with `DELETE /users/{user_id}/factors/{factor_id}`. The user adds a new one at the next login.',
      'If a second factor should be optional, set `require_mfa` to `false`.',
    ],
    example: { request: 'DELETE /me/factors/fct_01m7z2d5jfe9zr0j4dgg8m5yx4' },
    guides: ['guide/second-factors.md'],
  },
  FACTOR_MISSING: {
    causes: [
      'The user requests recovery codes without having a second factor. Recovery codes replace a lost authenticator app or passkey; without one they have no purpose.',
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
      'A user changes their password, and `current_password` is not their present password.',
      'The user has no password: they sign in with a passkey, a code or an identity provider.',
      'Another request changed the password at the same time.',
    ],
    fixes: [
      'Let the user enter the current password again. Attempts are limited like logins, and then get `TOO_MANY_ATTEMPTS`.',
      'A user without a password, or who forgot it, sets one with the recovery message of the login page.',
      'An administrator cannot read a password, but can send the recovery message.',
    ],
    example: {
      request: 'PATCH /me',
      body: { current_password: 'wrong', password: 'a new long password' },
    },
    guides: ['guide/account-page.md', 'guide/magic-links.md'],
  },
} as const satisfies ErrorPages;
