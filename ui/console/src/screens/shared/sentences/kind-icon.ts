import type { IconName } from '../../../parts/icon.tsx';

/** The icons of actions and event types, by the longest part of their name that is listed. */
const ICONS: Readonly<Record<string, IconName>> = {
  auth: 'key-round',
  'auth.login': 'log-in',
  'auth.login_failed': 'triangle-alert',
  'auth.logout': 'log-out',
  'auth.denied': 'ban',
  'auth.impersonated': 'user-check',
  'auth.impersonation_ended': 'user-check',
  'auth.message_sent': 'send',
  user: 'user',
  users: 'download',
  'user.created': 'user-plus',
  'user.invited': 'mail-plus',
  'user.deleted': 'trash-2',
  'user.disabled': 'ban',
  'user.login': 'log-in',
  'user.logout': 'log-out',
  password: 'lock',
  identifier: 'mail',
  invitation: 'mail-plus',
  session: 'monitor-smartphone',
  role: 'shield',
  workspace: 'boxes',
  tenant: 'settings',
  key: 'key-round',
  agent: 'bot',
  apikey: 'key-round',
  delegation: 'route',
  device: 'smartphone',
  consent: 'app-window',
  factor: 'fingerprint-pattern',
  'factor.suspicious': 'triangle-alert',
  identity: 'globe',
  identity_provider: 'globe',
  client: 'app-window',
  registration_token: 'key-round',
  signals: 'radio',
  resource: 'braces',
  webhook: 'webhook',
  'webhook.disabled': 'triangle-alert',
  message: 'send',
  messaging: 'send',
  branding: 'palette',
  sms: 'smartphone',
  system: 'server',
};

/** Returns the icon of an action or an event type. */
export function iconOf(type: string): IconName {
  return ICONS[type] ?? ICONS[type.split('.', 1)[0] ?? ''] ?? 'scroll-text';
}
