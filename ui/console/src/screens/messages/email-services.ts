// SMTP settings of email services, as their documentation states them.

import type { Tenant } from '@keywright/sdk';

type Email = NonNullable<Tenant['messaging']['email']>;

export const EMAIL_SERVICES = [
  'ses',
  'sendgrid',
  'postmark',
  'mailgun',
  'resend',
  'brevo',
  'google',
  'microsoft',
] as const;
export type EmailService = (typeof EMAIL_SERVICES)[number];

interface Service {
  readonly name: string;
  readonly host: string;
  /** The name is the same for all accounts. */
  readonly username?: string;
}

/** All of them require STARTTLS on port 587. */
const SERVICES: Readonly<Record<EmailService, Service>> = {
  // https://docs.aws.amazon.com/ses/latest/dg/smtp-connect.html
  ses: { name: 'Amazon SES', host: 'email-smtp.us-east-1.amazonaws.com' },
  // https://www.twilio.com/docs/sendgrid/for-developers/sending-email/integrating-with-the-smtp-api
  sendgrid: { name: 'SendGrid', host: 'smtp.sendgrid.net', username: 'apikey' },
  // https://postmarkapp.com/developer/user-guide/send-email-with-smtp
  postmark: { name: 'Postmark', host: 'smtp.postmarkapp.com' },
  // https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages/send-smtp
  mailgun: { name: 'Mailgun', host: 'smtp.mailgun.org' },
  // https://resend.com/docs/send-with-smtp
  resend: { name: 'Resend', host: 'smtp.resend.com', username: 'resend' },
  // https://developers.brevo.com/docs/smtp-integration
  brevo: { name: 'Brevo', host: 'smtp-relay.brevo.com' },
  // https://support.google.com/a/answer/176600
  google: { name: 'Gmail, Google Workspace', host: 'smtp.gmail.com' },
  // https://learn.microsoft.com/exchange/mail-flow-best-practices
  microsoft: { name: 'Microsoft 365', host: 'smtp.office365.com' },
};

export function nameOfService(service: EmailService): string {
  return SERVICES[service].name;
}

/** Returns the values of the fields that a service determines. */
export function settingsOfService(service: EmailService): Readonly<Record<string, string>> {
  const { host, username = '' } = SERVICES[service];
  return {
    smtp_host: host,
    smtp_port: '587',
    smtp_security: 'starttls',
    smtp_username: username,
    smtp_password: '',
  };
}

/** Returns the service whose server these settings name. */
export function serviceOf({ smtp_host: host }: Email): EmailService | undefined {
  return EMAIL_SERVICES.find((service) =>
    service === 'ses'
      ? /^email-smtp\..+\.amazonaws\.com$/.test(host ?? '')
      : SERVICES[service].host === host,
  );
}
