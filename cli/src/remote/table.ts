// Which routes of the service are commands, and what they are called. Their options are made from the contract:
// `npm run generate` writes them to ../generated/routes.ts.

import type { RouteId } from '../generated/routes.ts';

export interface Row {
  /** As it is typed. */
  readonly name: string;
  readonly route: RouteId;
  /** What it does; `keywright help` shows it behind the name. */
  readonly summary: string;
  /** The fields of its records that a table shows; without them, it answers one record. */
  readonly columns?: readonly string[];
  /** Options that have another name than their field. */
  readonly rename?: Readonly<Record<string, string>>;
  readonly examples: readonly string[];
}

const USER = 'user:01k9z3v5m8q2r4t6w8y0a2c4e6';
const AGENT = 'service:01k9z3v5m8q2r4t6w8y0a2c4e6';
const KEY = 'key_01k9z3v5m8q2r4t6w8y0a2c4e6';
const WEBHOOK = 'wh_01k9z3v5m8q2r4t6w8y0a2c4e6';
const DELIVERY = 'job_01k9z3v5m8q2r4t6w8y0a2c4e6';
const EVENT = 'evt_01k9z3v5m8q2r4t6w8y0a2c4e6';

/** `--url` is the service's. */
const ENDPOINT = { url: 'endpoint' };

const USERS: readonly Row[] = [
  {
    name: 'user list',
    route: 'users.list',
    summary: 'lists users',
    columns: ['id', 'is_active', 'created_at', 'roles', 'identifiers'],
    examples: [
      'keywright user list --role admin',
      'keywright user list --email @acme.example --limit 500 --json',
    ],
  },
  {
    name: 'user show',
    route: 'users.get',
    summary: 'shows a user',
    examples: [`keywright user show ${USER}`],
  },
  {
    name: 'user create',
    route: 'users.create',
    summary: 'creates a user; asks for the password, or reads it',
    examples: [
      'keywright user create --identifier ann@acme.example --role member',
      'keywright user create --identifier ann@acme.example --password-stdin < password.txt',
    ],
  },
  {
    name: 'user update',
    route: 'users.update',
    summary: 'changes a user',
    examples: [
      `keywright user update ${USER} --role admin --role auditor`,
      `keywright user update ${USER} --is-active false`,
      `keywright user update ${USER} --input changes.json`,
    ],
  },
  {
    name: 'user disable',
    route: 'users.disable',
    summary: 'ends what a user can do, in one step',
    examples: [`keywright user disable ${USER}`],
  },
  {
    name: 'user delete',
    route: 'users.delete',
    summary: 'deletes a user, for good',
    examples: [`keywright user delete ${USER} --dry-run`, `keywright user delete ${USER}`],
  },
];

const AGENTS: readonly Row[] = [
  {
    name: 'agent list',
    route: 'agents.list',
    summary: 'lists agents (service accounts)',
    columns: ['id', 'is_active', 'created_at', 'name', 'scopes'],
    examples: ['keywright agent list --is-active true'],
  },
  {
    name: 'agent show',
    route: 'agents.get',
    summary: 'shows an agent',
    examples: [`keywright agent show ${AGENT}`],
  },
  {
    name: 'agent create',
    route: 'agents.create',
    summary: 'creates an agent',
    examples: ['keywright agent create --name reporting --scope read:users --scope read:events'],
  },
  {
    name: 'agent update',
    route: 'agents.update',
    summary: 'changes an agent',
    examples: [`keywright agent update ${AGENT} --is-active false`],
  },
  {
    name: 'agent delete',
    route: 'agents.delete',
    summary: 'deletes an agent and its keys, for good',
    examples: [`keywright agent delete ${AGENT}`],
  },
];

const API_KEYS: readonly Row[] = [
  {
    name: 'api-key list',
    route: 'apikeys.list',
    summary: 'lists API keys, without the keys themselves',
    columns: ['id', 'prefix', 'agent_id', 'expires_at', 'revoked_at', 'name'],
    examples: [`keywright api-key list --agent-id ${AGENT}`],
  },
  {
    name: 'api-key show',
    route: 'apikeys.get',
    summary: 'shows an API key, without the key itself',
    examples: [`keywright api-key show ${KEY}`],
  },
  {
    name: 'api-key create',
    route: 'apikeys.create',
    summary: 'creates an API key of an agent, and shows it once',
    examples: [`keywright api-key create --agent-id ${AGENT} --name ci --expires-in-days 30`],
  },
  {
    name: 'api-key rotate',
    route: 'apikeys.rotate',
    summary: 'gives an API key a successor, and shows it once',
    examples: [`keywright api-key rotate ${KEY} --overlap-days 1`],
  },
  {
    name: 'api-key revoke',
    route: 'apikeys.delete',
    summary: 'revokes an API key',
    examples: [`keywright api-key revoke ${KEY}`],
  },
];

const WEBHOOKS: readonly Row[] = [
  {
    name: 'webhook list',
    route: 'webhooks.list',
    summary: 'lists the endpoints that events are sent to',
    columns: ['id', 'is_active', 'created_at', 'url', 'events'],
    examples: ['keywright webhook list'],
  },
  {
    name: 'webhook show',
    route: 'webhooks.get',
    summary: 'shows a webhook',
    examples: [`keywright webhook show ${WEBHOOK}`],
  },
  {
    name: 'webhook create',
    route: 'webhooks.create',
    summary: 'registers an endpoint, and shows its secret once',
    rename: ENDPOINT,
    examples: [
      'keywright webhook create --endpoint https://hooks.acme.example/in --event user.created --event user.deleted',
    ],
  },
  {
    name: 'webhook update',
    route: 'webhooks.update',
    summary: 'changes a webhook',
    rename: ENDPOINT,
    examples: [`keywright webhook update ${WEBHOOK} --is-active true`],
  },
  {
    name: 'webhook rotate',
    route: 'webhooks.rotate',
    summary: 'gives a webhook another secret, and shows it once',
    examples: [`keywright webhook rotate ${WEBHOOK} --overlap-hours 1`],
  },
  {
    name: 'webhook test',
    route: 'webhooks.test',
    summary: 'sends a webhook.test event',
    examples: [`keywright webhook test ${WEBHOOK}`],
  },
  {
    name: 'webhook deliveries',
    route: 'webhooks.list_deliveries',
    summary: 'lists what was sent to a webhook',
    columns: ['id', 'status', 'attempts', 'response_status', 'created_at', 'event_type', 'reason'],
    examples: [`keywright webhook deliveries ${WEBHOOK} --status failed`],
  },
  {
    name: 'webhook retry',
    route: 'webhooks.retry_delivery',
    summary: 'sends an event again, now',
    examples: [`keywright webhook retry ${WEBHOOK} ${DELIVERY}`],
  },
  {
    name: 'webhook replay',
    route: 'webhooks.replay',
    summary: 'sends every event since another one again',
    examples: [`keywright webhook replay ${WEBHOOK} --after ${EVENT}`],
  },
  {
    name: 'webhook delete',
    route: 'webhooks.delete',
    summary: 'deletes a webhook',
    examples: [`keywright webhook delete ${WEBHOOK}`],
  },
];

const EVENTS: readonly Row[] = [
  {
    name: 'event list',
    route: 'events.list',
    summary: 'lists events, the oldest first',
    columns: ['id', 'created_at', 'type', 'data'],
    examples: [
      'keywright event list --type user.created --limit 100',
      `keywright event list --after ${EVENT}`,
    ],
  },
];

export const TABLE: readonly Row[] = [...USERS, ...AGENTS, ...API_KEYS, ...WEBHOOKS, ...EVENTS];
