import type { ErrorPages } from './page.ts';

/** Errors of messages to users and of texts. */
export const MESSAGE_PAGES = {
  METHOD_NOT_READY: {
    causes: [
      'The tenant has no mail server (`messaging.email`), and the operator has not set `KEYWRIGHT_SMTP_URL`. Invitations, codes, recovery and magic links need one.',
      'Text messages need a provider (`messaging.sms`) and at least one country in `sms_countries`.',
      'Passkeys need an issuer with a host name and https. An IP address is not enough.',
      'The login method `oauth` needs an active identity provider.',
      'Recovery needs the login method `password`, and a page for the links in its messages (`magic_link_url`).',
    ],
    fixes: [
      'Configure what the detail names, and repeat the request.',
      'Test a mail server with `POST /messaging/test` before users depend on it.',
      'On your own machine, messages appear at `/dev/messages` without a mail server.',
    ],
    example: {
      request: 'POST /me/identifiers',
      body: { identifier: '+4915112345678' },
    },
    guides: ['guide/mail.md', 'guide/sms.md', 'guide/passkeys.md', 'guide/log-in-with-google.md'],
  },
  DESTINATION_REFUSED: {
    causes: [
      'The phone number belongs to a country that is not in the tenant’s `sms_countries`.',
      'The number’s type does not receive messages, such as a premium-rate number or a landline.',
      'The email address is suppressed, because earlier messages to it were not delivered or were reported as spam.',
    ],
    fixes: [
      'Add the country to `sms_countries` if you have customers there. Add only countries that you need, because SMS fraud costs money.',
      'Offer another way to sign in, such as email or a passkey.',
      'List suppressed email addresses with `GET /messaging/suppressions`, and remove one when the mailbox works again.',
    ],
    example: { request: 'POST /me/identifiers', body: { identifier: '+882161234567' } },
    guides: ['guide/sms.md', 'guide/mail.md'],
  },
  FEEDBACK_REFUSED: {
    causes: [
      'A mail provider’s report is not in a supported format, or an Amazon SNS notification has an invalid signature.',
      'The report is older than a day, or its time is in the future.',
    ],
    fixes: [
      'Configure your provider’s webhook as the guide shows: Postmark, Amazon SES over SNS, or the generic format.',
      'Check that nothing between the provider and the service changes the body.',
      'Providers resend failed reports. Discard reports that are older than a day.',
    ],
    example: {
      request: 'POST /messaging/feedback/<token>',
      body: { type: 'bounce', id: '1', email: 'ada@example.com', at: '2020-01-01T00:00:00Z' },
      headers: { Authorization: null },
    },
    guides: ['guide/bounces.md'],
  },
  TEMPLATE_INVALID: {
    causes: [
      'A message’s text lacks `{{code}}` or `{{link}}`, or contains a variable that this message does not support. The detail lists the supported ones.',
      'The text contains a URL whose host is not one of the tenant’s domains. Such a message could be used for phishing.',
      'The subject contains the code or the link, which would be visible on locked screens.',
      'This message’s text is fixed, because it protects its readers.',
    ],
    fixes: [
      'Correct the problem that the detail describes. `POST /messaging/preview` shows the result without storing it.',
      'Add the host to the tenant’s `domains`, or remove the link.',
      'Start from the current text, which `GET /messaging/templates/{kind}/{locale}` returns.',
    ],
    example: {
      request: 'PUT /messaging/templates/login/en',
      body: { subject: 'Your code', text: 'Welcome back!' },
      detail: 'The text must contain {{code}} or {{link}}.',
    },
    guides: ['guide/mail-texts.md', 'guide/languages-and-texts.md'],
  },
  TEXT_INVALID: {
    causes: [
      'A page’s text contains a placeholder or tag that the original does not have, or lacks the original’s `<link>`. The detail describes the problem.',
      'The text is empty, has more than one line, or contains a URL.',
      'The text is not a valid ICU message, for example because a brace is not closed.',
    ],
    fixes: [
      'Read the original with `GET /texts/{locale}/{key}`, and use only its placeholders and tags.',
      'Preview the page with `POST /branding/preview` before you store the text.',
      'Write plain text. Links and formatting come from the page.',
    ],
    example: {
      request: 'PUT /texts/en/login.title',
      body: { text: 'Sign in to {company}' },
      detail: 'The text must not contain {company}.',
    },
    guides: ['guide/languages-and-texts.md', 'guide/branding.md'],
  },
  TEXT_FIXED: {
    causes: [
      'The text warns or protects its readers, for example before they let a device sign in. Tenants cannot change these texts, because a changed text could mislead users.',
    ],
    fixes: [
      'Keep the original text. It is available in all of the service’s languages.',
      'Change the page’s other texts, which `GET /texts/{locale}` lists, or its logo and colors instead.',
    ],
    example: { request: 'PUT /texts/en/device.warning', body: { text: 'All good.' } },
    guides: ['guide/languages-and-texts.md', 'guide/branding.md'],
  },
  TOO_MANY_TEXTS: {
    causes: [
      'The tenant has replaced 500 texts, in all languages together, which is the maximum.',
      'A script stores every text, including texts that are identical to the original.',
    ],
    fixes: [
      'With `DELETE /texts/{locale}/{key}`, delete texts that are identical to the original: the service then uses its own.',
      'Change only the texts that matter to your users.',
    ],
    example: { request: 'PUT /texts/en/login.title', body: { text: 'Welcome' } },
    guides: ['guide/languages-and-texts.md'],
  },
  TOO_MANY_INVITATIONS: {
    causes: [
      'The tenant has 10,000 pending invitations, which is the maximum.',
      'A script invites people repeatedly instead of sending the pending invitation again.',
    ],
    fixes: [
      'Revoke invitations that are no longer needed: `GET /invitations?status=pending` and `DELETE /invitations/{invitation_id}`.',
      'Send an existing invitation again with `POST /invitations/{invitation_id}/resend`.',
      'For many existing users, import them instead of inviting them.',
    ],
    example: { request: 'POST /invitations', body: { identifier: 'ada@example.com' } },
    guides: ['guide/invite-people.md', 'migrate/index.md'],
  },
  TOO_MANY_MESSAGES: {
    causes: [
      'Too many messages were requested by one user, from one IP address, or for one recipient. Messages to the same recipient must be at least 30 seconds apart.',
      'Behind a proxy that the service does not trust, all users share one IP address.',
      'Text messages to a country are paused for an hour, because few of their codes are used, which is a sign of fraud.',
    ],
    fixes: [
      'Wait for the number of seconds in `Retry-After`, and show the user a countdown from `resend_after`.',
      'Set `KEYWRIGHT_TRUSTED_PROXIES` if the service runs behind a proxy.',
      'Disable the button after a click, so that impatient users do not request several messages.',
    ],
    example: {
      request: 'POST /auth/flows/login_01m7z2d5jfe9zr0j4dgg8m5yx4/message',
      body: { flow_token: '<flow_token>' },
    },
    guides: ['guide/magic-links.md', 'guide/sms.md', 'guide/mail.md'],
  },
} as const satisfies ErrorPages;
