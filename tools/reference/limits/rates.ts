import {
  CODE_LIMITS,
  GUESSES,
  MAX_OPEN,
  START_LIMITS,
} from '../../../server/src/modules/authentication/flows/flow-rules.ts';
import { MAX_CHALLENGES } from '../../../server/src/modules/authentication/flows/flow-steps-store.ts';
import {
  ADDRESS_FACTOR,
  DAY_FACTOR,
} from '../../../server/src/modules/authentication/login/login-attempts.ts';
import { MAX_FAILURES } from '../../../server/src/modules/authentication/proofs/proof-rules.ts';
import { GUESS_LIMITS } from '../../../server/src/modules/authentication/second-factors/second-factor-store.ts';
import { STREAM_LIMITS } from '../../../server/src/modules/events/journal/event-log.ts';
import {
  MESSAGE_LIMITS,
  RESEND_AFTER_SECONDS,
} from '../../../server/src/modules/events/messages/message-limits.ts';
import { REPORT_LIMITS } from '../../../server/src/modules/machines/agents/api-key-service.ts';
import { PUBLIC_CLIENT_LIMITS } from '../../../server/src/modules/oauth/authorize/authorization-endpoint.ts';
import { LIMITS as DOCUMENT_LIMITS } from '../../../server/src/modules/oauth/clients/clients.ts';
import { NETWORK_LIMITS } from '../../../server/src/modules/oauth/grants/device-grant-service.ts';
import { LIMITS as REGISTRATION_LIMITS } from '../../../server/src/modules/oauth/registration/registration-service.ts';
import {
  ADDRESS_LIMITS,
  CLIENT_LIMITS,
} from '../../../server/src/modules/oauth/token-endpoint/client-authentication.ts';
import { MAX_REFUSED_REFRESHES } from '../../../server/src/modules/tokens/sessions/refresh-service.ts';
import { WAITING_PER_WORKER } from '../../../server/src/platform/crypto/password.ts';
import { DEFAULTS } from '../../../server/src/platform/environment.ts';
import { byDefault, count, inSeconds, type Limit, rate } from './row.ts';

const ATTEMPTS = 'TOO_MANY_ATTEMPTS';
const MESSAGES = 'TOO_MANY_MESSAGES';

const { requested, received } = MESSAGE_LIMITS;

export const RATES: readonly Limit[] = [
  ...logins(),
  {
    what: 'Rejected refreshes from one IP address',
    value: `${MAX_REFUSED_REFRESHES} per minute`,
    error: ATTEMPTS,
  },
  { what: 'Login flows started from one IP address', value: rate(START_LIMITS), error: ATTEMPTS },
  {
    what: 'Open flows without a proof for one identifier, from one network or device; older ones end',
    value: count(MAX_OPEN),
  },
  { what: 'Wrong codes in a flow', value: count(GUESSES), error: 'FLOW_ENDED' },
  { what: 'Codes of messages tried for one recipient', value: rate(CODE_LIMITS), error: ATTEMPTS },
  { what: 'Passkey challenges in a flow', value: count(MAX_CHALLENGES), error: 'FLOW_ENDED' },
  {
    what: 'Codes of an app or recovery codes tried by a user',
    value: rate(GUESS_LIMITS),
    error: ATTEMPTS,
  },
  {
    what: 'Wrong codes in a row before a factor is suspended; twice as many on a known device',
    value: count(MAX_FAILURES),
  },
  {
    what: 'Wrong user codes of devices from one network',
    value: rate(NETWORK_LIMITS),
    error: ATTEMPTS,
  },
  {
    what: 'Failed authentications of a client from one IP address',
    value: rate(CLIENT_LIMITS),
    error: ATTEMPTS,
  },
  {
    what: 'Failed authentications of all clients from one IP address',
    value: rate(ADDRESS_LIMITS),
    error: ATTEMPTS,
  },
  {
    what: 'Authorization requests pushed by public clients from one IP address',
    value: rate(PUBLIC_CLIENT_LIMITS),
    error: ATTEMPTS,
  },
  {
    what: 'Registrations of applications from one IP address',
    value: rate(REGISTRATION_LIMITS),
    error: ATTEMPTS,
  },
  {
    what: 'Reads of metadata documents at listed hosts',
    value: rate(DOCUMENT_LIMITS.listed),
    error: ATTEMPTS,
  },
  {
    what: 'Reads of metadata documents at other hosts',
    value: rate(DOCUMENT_LIMITS.unlisted),
    error: ATTEMPTS,
  },
  {
    what: 'Reports of leaked API keys from one IP address',
    value: rate(REPORT_LIMITS),
    error: ATTEMPTS,
  },
  {
    what: 'Passwords that wait for a processor core, per core',
    value: count(WAITING_PER_WORKER),
    error: 'TOO_BUSY',
  },
];

function logins(): Limit[] {
  const limit = byDefault('login_attempts_limit');
  const window = inSeconds(byDefault('login_attempts_window'));
  return [
    {
      what: 'Login attempts for one identifier',
      value: `${limit} in ${window}`,
      setting: 'login_attempts_limit',
      error: ATTEMPTS,
    },
    {
      what: 'Login attempts for one identifier in a day',
      value: count(DAY_FACTOR * limit),
      setting: 'login_attempts_limit',
      error: ATTEMPTS,
    },
    {
      what: 'Login attempts from one IP address',
      value: `${ADDRESS_FACTOR * limit} in ${window}`,
      setting: 'login_attempts_address_limit',
      error: ATTEMPTS,
    },
    {
      what: 'Registrations in a tenant',
      value: `${count(byDefault('registrations_limit'))} per hour`,
      setting: 'registrations_limit',
      error: ATTEMPTS,
    },
    {
      what: 'Registrations from one IP address',
      value: `${count(byDefault('registrations_address_limit'))} per hour`,
      setting: 'registrations_address_limit',
      error: ATTEMPTS,
    },
  ];
}

export const MESSAGE_RATES: readonly Limit[] = [
  {
    what: 'Time between two messages to one recipient',
    value: inSeconds(RESEND_AFTER_SECONDS),
    error: MESSAGES,
  },
  {
    what: 'Messages to one recipient, requested by one user or network',
    value: `${requested.hourly} per hour, ${requested.daily} per day`,
    error: MESSAGES,
  },
  {
    what: 'Messages to all recipients, requested from one network',
    value: `${MESSAGE_LIMITS.ofNetworkHourly} per hour`,
    error: MESSAGES,
  },
  {
    what: 'Messages to all recipients, requested by one user',
    value: `${MESSAGE_LIMITS.ofUserHourly} per hour`,
    error: MESSAGES,
  },
  {
    what: 'Messages to one recipient in a tenant; more are not sent',
    value: `${received.hourly} per hour, ${received.daily} per day`,
  },
  {
    what: 'Emails of a tenant; more are not sent',
    value: `${count(MESSAGE_LIMITS.mailsOfTenantHourly)} per hour`,
  },
  {
    what: 'Notices of changes to one recipient; more are not sent',
    value: `${MESSAGE_LIMITS.noticesDaily} per day`,
  },
  {
    what: 'Test messages of a tenant',
    value: `${MESSAGE_LIMITS.testsHourly} per hour`,
    error: MESSAGES,
  },
  {
    what: 'Text messages of a tenant; more are not sent',
    value: `${byDefault('sms_hourly_limit')} per hour`,
    setting: 'sms_hourly_limit',
  },
  {
    what: 'Text messages of a tenant; more are not sent',
    value: `${byDefault('sms_daily_limit')} per day`,
    setting: 'sms_daily_limit',
  },
  {
    what: 'Text messages of a tenant to one country; more are not sent',
    value: `${byDefault('sms_country_hourly_limit')} per hour`,
    setting: 'sms_country_hourly_limit',
  },
];

export const CONNECTIONS: readonly Limit[] = [
  {
    what: 'Open connections to a process',
    value: count(Number(DEFAULTS.KEYWRIGHT_MAX_CONNECTIONS)),
    setting: 'KEYWRIGHT_MAX_CONNECTIONS',
  },
  {
    what: 'Revocation streams of a node; one tenant can use half of them',
    value: count(Number(DEFAULTS.KEYWRIGHT_STATUS_STREAMS)),
    setting: 'KEYWRIGHT_STATUS_STREAMS',
    error: 'UNAVAILABLE',
  },
  {
    what: 'Revocation streams of a node from one IPv4 address or IPv6 /64 network',
    value: count(Number(DEFAULTS.KEYWRIGHT_STATUS_STREAMS_PER_ADDRESS)),
    setting: 'KEYWRIGHT_STATUS_STREAMS_PER_ADDRESS',
    error: 'UNAVAILABLE',
  },
  {
    what: 'Event streams of a node; one tenant can use half of them',
    value: count(STREAM_LIMITS.total),
    error: 'UNAVAILABLE',
  },
  {
    what: 'Event streams of a node from one IP address',
    value: count(STREAM_LIMITS.perAddress),
    error: 'UNAVAILABLE',
  },
];
