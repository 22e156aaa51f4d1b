// The routes that are commands, and their names. `npm run generate` generates their options from the contract and
// writes them to ../generated/routes.ts.

import { INVITATIONS, USERS } from './people.ts';
import type { Row } from './row.ts';

const AGENT = 'service:01k9z3v5m8q2r4t6w8y0a2c4e6';
const KEY = 'key_01k9z3v5m8q2r4t6w8y0a2c4e6';
const WEBHOOK = 'wh_01k9z3v5m8q2r4t6w8y0a2c4e6';
const DELIVERY = 'job_01k9z3v5m8q2r4t6w8y0a2c4e6';
const EVENT = 'evt_01k9z3v5m8q2r4t6w8y0a2c4e6';

/** `--url` already names the service, so the option for this field is `--endpoint`. */
const ENDPOINT = { url: 'endpoint' };

const AGENTS: readonly Row[] = [
  {
    name: 'agent list',
    route: 'agents.list',
    summary: 'list agents (service accounts)',
    columns: ['id', 'is_active', 'created_at', 'name', 'scopes'],
    examples: ['keywright agent list --is-active true'],
  },
  {
    name: 'agent show',
    route: 'agents.get',
    summary: 'show an agent',
    examples: [`keywright agent show ${AGENT}`],
  },
  {
    name: 'agent create',
    route: 'agents.create',
    summary: 'create an agent',
    examples: ['keywright agent create --name reporting --scope read:users --scope read:events'],
  },
  {
    name: 'agent update',
    route: 'agents.update',
    summary: 'update an agent',
    examples: [`keywright agent update ${AGENT} --is-active false`],
  },
  {
    name: 'agent delete',
    route: 'agents.delete',
    summary: 'permanently delete an agent and its keys',
    examples: [`keywright agent delete ${AGENT}`],
  },
];

const API_KEYS: readonly Row[] = [
  {
    name: 'api-key list',
    route: 'apikeys.list',
    summary: 'list API keys, without the keys themselves',
    columns: ['id', 'prefix', 'agent_id', 'expires_at', 'revoked_at', 'name'],
    examples: [`keywright api-key list --agent-id ${AGENT}`],
  },
  {
    name: 'api-key show',
    route: 'apikeys.get',
    summary: 'show an API key, without the key itself',
    examples: [`keywright api-key show ${KEY}`],
  },
  {
    name: 'api-key create',
    route: 'apikeys.create',
    summary: 'create an API key for an agent, and show it once',
    examples: [`keywright api-key create --agent-id ${AGENT} --name ci --expires-in-days 30`],
  },
  {
    name: 'api-key rotate',
    route: 'apikeys.rotate',
    summary: 'replace an API key, and show the new one once',
    examples: [`keywright api-key rotate ${KEY} --overlap-days 1`],
  },
  {
    name: 'api-key revoke',
    route: 'apikeys.delete',
    summary: 'revoke an API key',
    examples: [`keywright api-key revoke ${KEY}`],
  },
];

const WEBHOOKS: readonly Row[] = [
  {
    name: 'webhook list',
    route: 'webhooks.list',
    summary: 'list webhooks',
    columns: ['id', 'is_active', 'created_at', 'url', 'events'],
    examples: ['keywright webhook list'],
  },
  {
    name: 'webhook show',
    route: 'webhooks.get',
    summary: 'show a webhook',
    examples: [`keywright webhook show ${WEBHOOK}`],
  },
  {
    name: 'webhook create',
    route: 'webhooks.create',
    summary: 'create a webhook, and show its secret once',
    rename: ENDPOINT,
    examples: [
      'keywright webhook create --endpoint https://hooks.acme.example/in --event user.created --event user.deleted',
    ],
  },
  {
    name: 'webhook update',
    route: 'webhooks.update',
    summary: 'update a webhook',
    rename: ENDPOINT,
    examples: [`keywright webhook update ${WEBHOOK} --is-active true`],
  },
  {
    name: 'webhook rotate',
    route: 'webhooks.rotate',
    summary: 'rotate the secret of a webhook, and show the new one once',
    examples: [`keywright webhook rotate ${WEBHOOK} --overlap-hours 1`],
  },
  {
    name: 'webhook test',
    route: 'webhooks.test',
    summary: 'send a webhook.test event',
    examples: [`keywright webhook test ${WEBHOOK}`],
  },
  {
    name: 'webhook deliveries',
    route: 'webhooks.list_deliveries',
    summary: 'list the deliveries of a webhook',
    columns: ['id', 'status', 'attempts', 'response_status', 'created_at', 'event_type', 'reason'],
    examples: [`keywright webhook deliveries ${WEBHOOK} --status failed`],
  },
  {
    name: 'webhook retry',
    route: 'webhooks.retry_delivery',
    summary: 'retry a delivery now',
    examples: [`keywright webhook retry ${WEBHOOK} ${DELIVERY}`],
  },
  {
    name: 'webhook replay',
    route: 'webhooks.replay',
    summary: 'resend every event after a given one',
    examples: [`keywright webhook replay ${WEBHOOK} --after ${EVENT}`],
  },
  {
    name: 'webhook delete',
    route: 'webhooks.delete',
    summary: 'delete a webhook',
    examples: [`keywright webhook delete ${WEBHOOK}`],
  },
];

const EVENTS: readonly Row[] = [
  {
    name: 'event list',
    route: 'events.list',
    summary: 'list events, oldest first',
    columns: ['id', 'created_at', 'type', 'data'],
    examples: [
      'keywright event list --type user.created --limit 100',
      `keywright event list --after ${EVENT}`,
    ],
  },
];

export const TABLE: readonly Row[] = [
  ...USERS,
  ...INVITATIONS,
  ...AGENTS,
  ...API_KEYS,
  ...WEBHOOKS,
  ...EVENTS,
];
