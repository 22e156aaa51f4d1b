// Made from the contract by `npm run generate`.

import type { RouteFields } from '../remote/route-fields.ts';

const FIELDS = {
  'users.list': {
    "group": "users",
    "method": "list",
    "about": "The newest first, unless sort says otherwise. Several filters all have to fit. It calls GET /api/sso/v1/users, which needs the scope read:users.",
    "takes": [],
    "hasBody": false,
    "fields": [
      {
        "name": "cursor",
        "in": "query",
        "kind": "text",
        "help": "meta.next_cursor of the page before"
      },
      {
        "name": "sort",
        "in": "query",
        "kind": "text",
        "help": "By age or by first identifier; - turns it around. Default -created_at",
        "choices": [
          "created_at",
          "-created_at",
          "identifier",
          "-identifier"
        ]
      },
      {
        "name": "role",
        "in": "query",
        "kind": "text",
        "help": "The name of a role: lower-case letters, digits, - and _, at most 64"
      },
      {
        "name": "workspace_id",
        "in": "query",
        "kind": "text",
        "help": "The id of a workspace: ws_<slug>"
      },
      {
        "name": "email",
        "in": "query",
        "kind": "text",
        "help": "Any part of an e-mail address, in any case; % and _ stand for themselves"
      },
      {
        "name": "tenant_id",
        "in": "query",
        "kind": "text",
        "help": "Another tenant: for a system administrator only"
      }
    ]
  },
  'users.get': {
    "group": "users",
    "method": "get",
    "about": "With identifiers, roles and workspaces. No secret is ever shown. It calls GET /api/sso/v1/users/<user_id>, which needs the scope read:users.",
    "takes": [
      "USER_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'users.create': {
    "group": "users",
    "method": "create",
    "about": "Without roles the user is a member. Nobody gives a role that holds more than they do. It calls POST /api/sso/v1/users, which needs the scope write:users.",
    "takes": [],
    "hasBody": true,
    "fields": [
      {
        "name": "identifier",
        "in": "body",
        "kind": "text",
        "help": "An e-mail address, or a phone number in E.164 form",
        "isRequired": true
      },
      {
        "name": "password",
        "in": "body",
        "kind": "secret",
        "help": "A password of at most 256 characters, counted after NFKC",
        "isRequired": true
      },
      {
        "name": "roles",
        "in": "body",
        "kind": "list",
        "help": "The names of their roles"
      }
    ]
  },
  'users.update': {
    "group": "users",
    "method": "update",
    "about": "Lists given replace the ones there. A new password, and is_active: false, end every session of the user at once. It calls PATCH /api/sso/v1/users/<user_id>, which needs the scope write:users.",
    "takes": [
      "USER_ID"
    ],
    "hasBody": true,
    "fields": [
      {
        "name": "identifiers",
        "in": "body",
        "kind": "json",
        "help": "As GET shows them; type and verified can be left out. An identifier keeps the verified that it has, and a new one is not verified"
      },
      {
        "name": "password",
        "in": "body",
        "kind": "secret",
        "help": "A password of at most 256 characters, counted after NFKC"
      },
      {
        "name": "roles",
        "in": "body",
        "kind": "list",
        "help": "The names of their roles"
      },
      {
        "name": "workspaces",
        "in": "body",
        "kind": "list",
        "help": "Those that the user belongs to, in place of those before"
      },
      {
        "name": "is_active",
        "in": "body",
        "kind": "boolean",
        "help": "true or false"
      },
      {
        "name": "metadata",
        "in": "body",
        "kind": "json",
        "help": "Free data about the user, written by administrators only: at most 16 KiB as JSON, 32 levels deep"
      },
      {
        "name": "user_metadata",
        "in": "body",
        "kind": "json",
        "help": "Free data that users write themselves: at most 16 KiB as JSON, 32 levels deep"
      }
    ]
  },
  'users.delete': {
    "group": "users",
    "method": "delete",
    "about": "Final. Every session of the user and every delegation that they gave ends at once; agents that they answered for go on without them. dry_run=true returns the dependents of the user, and changes nothing. It calls DELETE /api/sso/v1/users/<user_id>, which needs the scope delete:users.",
    "takes": [
      "USER_ID"
    ],
    "hasBody": false,
    "fields": [
      {
        "name": "dry_run",
        "in": "query",
        "kind": "switch",
        "help": "says what would happen, and changes nothing"
      }
    ]
  },
  'users.disable': {
    "group": "users",
    "method": "disable",
    "about": "In one transaction: the user and the agents that they answer for are inactive, their sessions ended, the keys and delegations revoked. Nothing of it works from the answer on, on any node, and none of it comes back when the user is made active again. A second time ends what there is by then. Who does it must hold what the user and those agents hold. It calls POST /api/sso/v1/users/<user_id>/disable, which needs the scope write:users.",
    "takes": [
      "USER_ID"
    ],
    "hasBody": true,
    "fields": [
      {
        "name": "reason",
        "in": "body",
        "kind": "text",
        "help": "Why; kept in the audit log",
        "isRequired": true
      }
    ]
  },
  'agents.list': {
    "group": "agents",
    "method": "list",
    "about": "The newest first. The filters narrow the list; several all have to fit. It calls GET /api/sso/v1/agents, which needs the scope read:agents.",
    "takes": [],
    "hasBody": false,
    "fields": [
      {
        "name": "cursor",
        "in": "query",
        "kind": "text",
        "help": "meta.next_cursor of the page before"
      },
      {
        "name": "sort",
        "in": "query",
        "kind": "text",
        "help": "By age: -created_at, the default, has the newest first",
        "choices": [
          "created_at",
          "-created_at"
        ]
      },
      {
        "name": "workspace_id",
        "in": "query",
        "kind": "text",
        "help": "The id of a workspace: ws_<slug>"
      },
      {
        "name": "owner_id",
        "in": "query",
        "kind": "text",
        "help": "The id of a user: user:<id>"
      },
      {
        "name": "is_active",
        "in": "query",
        "kind": "boolean",
        "help": "true or false"
      }
    ]
  },
  'agents.create': {
    "group": "agents",
    "method": "create",
    "about": "Without scopes it may do nothing, without workspace_id it is in ws_default, and without owner_id whoever creates it answers for it. Nobody gives a scope that they do not hold. It calls POST /api/sso/v1/agents, which needs the scope write:agents.",
    "takes": [],
    "hasBody": true,
    "fields": [
      {
        "name": "name",
        "in": "body",
        "kind": "text",
        "help": "Its name, for people: one line",
        "isRequired": true
      },
      {
        "name": "description",
        "in": "body",
        "kind": "text",
        "help": "What it is for"
      },
      {
        "name": "scopes",
        "in": "body",
        "kind": "list",
        "help": "What it may do; none that the caller does not hold"
      },
      {
        "name": "workspace_id",
        "in": "body",
        "kind": "text",
        "help": "The id of a workspace: ws_<slug>"
      },
      {
        "name": "owner_id",
        "in": "body",
        "kind": "text",
        "help": "The id of a user: user:<id>"
      },
      {
        "name": "jwks",
        "in": "body",
        "kind": "json",
        "help": "Public keys that the agent signs its assertions with"
      },
      {
        "name": "trusts",
        "in": "body",
        "kind": "json",
        "help": "Outside issuers whose tokens stand for the agent: those that fit one of these. Each needs a subject or claims"
      }
    ]
  },
  'agents.get': {
    "group": "agents",
    "method": "get",
    "about": "With what it may do and how it proves who it is. It calls GET /api/sso/v1/agents/<agent_id>, which needs the scope read:agents.",
    "takes": [
      "AGENT_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'agents.update': {
    "group": "agents",
    "method": "update",
    "about": "A change of scopes, workspace_id, is_active, jwks or trusts counts from the next request on: tokens issued before it are refused. The keys of an inactive agent do not work; once it is active again, those that have not expired do. Nobody changes an agent that holds more than they do. It calls PATCH /api/sso/v1/agents/<agent_id>, which needs the scope write:agents.",
    "takes": [
      "AGENT_ID"
    ],
    "hasBody": true,
    "fields": [
      {
        "name": "name",
        "in": "body",
        "kind": "text",
        "help": "Its name, for people: one line"
      },
      {
        "name": "description",
        "in": "body",
        "kind": "text",
        "help": "What it is for"
      },
      {
        "name": "scopes",
        "in": "body",
        "kind": "list",
        "help": "What it may do, in place of what it may do now"
      },
      {
        "name": "is_active",
        "in": "body",
        "kind": "boolean",
        "help": "true or false"
      },
      {
        "name": "workspace_id",
        "in": "body",
        "kind": "text",
        "help": "The id of a workspace: ws_<slug>"
      },
      {
        "name": "owner_id",
        "in": "body",
        "kind": "text",
        "help": "The id of a user: user:<id>"
      },
      {
        "name": "jwks",
        "in": "body",
        "kind": "json",
        "help": "In place of the keys that it has; null takes them away"
      },
      {
        "name": "trusts",
        "in": "body",
        "kind": "json",
        "help": "Outside issuers whose tokens stand for the agent: those that fit one of these. Each needs a subject or claims"
      }
    ]
  },
  'agents.delete': {
    "group": "agents",
    "method": "delete",
    "about": "Final. Its keys go with it, and what users delegated to it. dry_run=true returns the dependents of the agent, and changes nothing. It calls DELETE /api/sso/v1/agents/<agent_id>, which needs the scope delete:agents.",
    "takes": [
      "AGENT_ID"
    ],
    "hasBody": false,
    "fields": [
      {
        "name": "dry_run",
        "in": "query",
        "kind": "switch",
        "help": "says what would happen, and changes nothing"
      }
    ]
  },
  'apikeys.list': {
    "group": "apikeys",
    "method": "list",
    "about": "Expired and revoked ones too. The keys themselves are not shown. It calls GET /api/sso/v1/apikeys, which needs the scope read:apikeys.",
    "takes": [],
    "hasBody": false,
    "fields": [
      {
        "name": "cursor",
        "in": "query",
        "kind": "text",
        "help": "meta.next_cursor of the page before"
      },
      {
        "name": "sort",
        "in": "query",
        "kind": "text",
        "help": "By age: -created_at, the default, has the newest first",
        "choices": [
          "created_at",
          "-created_at"
        ]
      },
      {
        "name": "agent_id",
        "in": "query",
        "kind": "text",
        "help": "The id of an agent: service:<id>"
      }
    ]
  },
  'apikeys.create': {
    "group": "apikeys",
    "method": "create",
    "about": "The answer shows the key, and nothing shows it again. With scopes the key has those of the scopes of its agent; without, all of them. Nobody makes a key of an agent that holds more than they do. It calls POST /api/sso/v1/apikeys, which needs the scope write:apikeys.",
    "takes": [],
    "hasBody": true,
    "fields": [
      {
        "name": "agent_id",
        "in": "body",
        "kind": "text",
        "help": "The id of an agent: service:<id>",
        "isRequired": true
      },
      {
        "name": "name",
        "in": "body",
        "kind": "text",
        "help": "Its name, for people: one line",
        "isRequired": true
      },
      {
        "name": "expires_in_days",
        "in": "body",
        "kind": "number",
        "help": "How many days the key works. Default 90"
      },
      {
        "name": "scopes",
        "in": "body",
        "kind": "list",
        "help": "Those of the scopes of its agent that it has"
      },
      {
        "name": "allowed_ips",
        "in": "body",
        "kind": "list",
        "help": "Addresses of IPv4 and IPv6, and networks in CIDR form, that the key is good from"
      }
    ]
  },
  'apikeys.get': {
    "group": "apikeys",
    "method": "get",
    "about": "Without the key itself. It calls GET /api/sso/v1/apikeys/<key_id>, which needs the scope read:apikeys.",
    "takes": [
      "KEY_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'apikeys.rotate': {
    "group": "apikeys",
    "method": "rotate",
    "about": "The successor has the same agent, name, scopes, addresses and length of life. The key lives on for overlap_days, if it does not expire before; with 0 it is revoked at once. A key is rotated once. It calls POST /api/sso/v1/apikeys/<key_id>/rotate, which needs the scope write:apikeys.",
    "takes": [
      "KEY_ID"
    ],
    "hasBody": true,
    "fields": [
      {
        "name": "overlap_days",
        "in": "body",
        "kind": "number",
        "help": "How many days the old key works on. Default 7"
      }
    ]
  },
  'apikeys.delete': {
    "group": "apikeys",
    "method": "delete",
    "about": "It is refused from the next request on, and its record stays. Revoking it again changes nothing. It calls DELETE /api/sso/v1/apikeys/<key_id>, which needs the scope delete:apikeys.",
    "takes": [
      "KEY_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'webhooks.list': {
    "group": "webhooks",
    "method": "list",
    "about": "The newest first. Their secrets are not shown. It calls GET /api/sso/v1/webhooks, which needs the scope read:webhooks.",
    "takes": [],
    "hasBody": false,
    "fields": [
      {
        "name": "cursor",
        "in": "query",
        "kind": "text",
        "help": "meta.next_cursor of the page before"
      },
      {
        "name": "sort",
        "in": "query",
        "kind": "text",
        "help": "By age: -created_at, the default, has the newest first",
        "choices": [
          "created_at",
          "-created_at"
        ]
      }
    ]
  },
  'webhooks.create': {
    "group": "webhooks",
    "method": "create",
    "about": "The secret is in this answer and in no other one. It takes the scopes to read what the events tell of; the list of events names them. It calls POST /api/sso/v1/webhooks, which needs the scope write:webhooks.",
    "takes": [],
    "hasBody": true,
    "fields": [
      {
        "name": "url",
        "in": "body",
        "kind": "text",
        "help": "An https address that is public, or one that the operator allows",
        "isRequired": true
      },
      {
        "name": "events",
        "in": "body",
        "kind": "list",
        "help": "The kinds of events that it is sent",
        "choices": [
          "user.created",
          "user.updated",
          "user.deleted",
          "user.login",
          "user.logout",
          "session.created",
          "session.revoked",
          "role.assigned",
          "workspace.created",
          "role.unassigned",
          "role.created",
          "role.updated",
          "role.deleted",
          "workspace.updated",
          "workspace.deleted",
          "workspace.member_added",
          "workspace.member_removed",
          "tenant.updated",
          "key.rotated",
          "key.retired",
          "agent.created",
          "agent.updated",
          "agent.deleted",
          "apikey.created",
          "apikey.rotated",
          "apikey.revoked",
          "delegation.created",
          "delegation.revoked",
          "webhook.created",
          "webhook.updated",
          "webhook.deleted",
          "webhook.disabled",
          "webhook.test"
        ],
        "isRequired": true
      },
      {
        "name": "secret",
        "in": "body",
        "kind": "secret",
        "help": "Without it, one is drawn. One that begins with whsec_ is base64 of at least 16 bytes behind that"
      }
    ]
  },
  'webhooks.get': {
    "group": "webhooks",
    "method": "get",
    "about": "Without its secret. It calls GET /api/sso/v1/webhooks/<webhook_id>, which needs the scope read:webhooks.",
    "takes": [
      "WEBHOOK_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'webhooks.update': {
    "group": "webhooks",
    "method": "update",
    "about": "Events that happen while it is not active are not queued for it; replay fetches them afterwards. What was queued before waits. Everything but switching it off takes the scopes to read what its events tell of. It calls PATCH /api/sso/v1/webhooks/<webhook_id>, which needs the scope write:webhooks.",
    "takes": [
      "WEBHOOK_ID"
    ],
    "hasBody": true,
    "fields": [
      {
        "name": "url",
        "in": "body",
        "kind": "text",
        "help": "An https address that is public, or one that the operator allows"
      },
      {
        "name": "events",
        "in": "body",
        "kind": "list",
        "help": "The kinds of events that it is sent",
        "choices": [
          "user.created",
          "user.updated",
          "user.deleted",
          "user.login",
          "user.logout",
          "session.created",
          "session.revoked",
          "role.assigned",
          "workspace.created",
          "role.unassigned",
          "role.created",
          "role.updated",
          "role.deleted",
          "workspace.updated",
          "workspace.deleted",
          "workspace.member_added",
          "workspace.member_removed",
          "tenant.updated",
          "key.rotated",
          "key.retired",
          "agent.created",
          "agent.updated",
          "agent.deleted",
          "apikey.created",
          "apikey.rotated",
          "apikey.revoked",
          "delegation.created",
          "delegation.revoked",
          "webhook.created",
          "webhook.updated",
          "webhook.deleted",
          "webhook.disabled",
          "webhook.test"
        ]
      },
      {
        "name": "is_active",
        "in": "body",
        "kind": "boolean",
        "help": "true or false"
      }
    ]
  },
  'webhooks.delete': {
    "group": "webhooks",
    "method": "delete",
    "about": "Nothing more is sent to it, what is queued included. Its log of deliveries can no longer be read, and is erased with the events, after 30 days. It calls DELETE /api/sso/v1/webhooks/<webhook_id>, which needs the scope delete:webhooks.",
    "takes": [
      "WEBHOOK_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'webhooks.rotate': {
    "group": "webhooks",
    "method": "rotate",
    "about": "For the overlap both are good: webhook-signature carries one signature for each, X-Service-Signature stays with the secret before until the overlap ends. It calls POST /api/sso/v1/webhooks/<webhook_id>/rotate, which needs the scope write:webhooks.",
    "takes": [
      "WEBHOOK_ID"
    ],
    "hasBody": true,
    "fields": [
      {
        "name": "secret",
        "in": "body",
        "kind": "secret",
        "help": "Without it, one is drawn. One that begins with whsec_ is base64 of at least 16 bytes behind that"
      },
      {
        "name": "overlap_hours",
        "in": "body",
        "kind": "number",
        "help": "For how many hours the secret before is good too: default 24; 0 for a leaked one"
      }
    ]
  },
  'webhooks.list_deliveries': {
    "group": "webhooks",
    "method": "listDeliveries",
    "about": "The newest first, with the last answer to each. Kept for 30 days. It calls GET /api/sso/v1/webhooks/<webhook_id>/deliveries, which needs the scope read:webhooks.",
    "takes": [
      "WEBHOOK_ID"
    ],
    "hasBody": false,
    "fields": [
      {
        "name": "cursor",
        "in": "query",
        "kind": "text",
        "help": "meta.next_cursor of the page before"
      },
      {
        "name": "sort",
        "in": "query",
        "kind": "text",
        "help": "By age: -created_at, the default, has the newest first",
        "choices": [
          "created_at",
          "-created_at"
        ]
      },
      {
        "name": "status",
        "in": "query",
        "kind": "text",
        "help": "How far the delivery is",
        "choices": [
          "pending",
          "delivered",
          "failed"
        ]
      }
    ]
  },
  'webhooks.test': {
    "group": "webhooks",
    "method": "test",
    "about": "To that one only, whatever kinds it asks for. The delivery tells how it went. It calls POST /api/sso/v1/webhooks/<webhook_id>/test, which needs the scope write:webhooks.",
    "takes": [
      "WEBHOOK_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'webhooks.retry_delivery': {
    "group": "webhooks",
    "method": "retryDelivery",
    "about": "From the first attempt on, whatever became of it before. It calls POST /api/sso/v1/webhooks/<webhook_id>/deliveries/<delivery_id>/retry, which needs the scope write:webhooks.",
    "takes": [
      "WEBHOOK_ID",
      "DELIVERY_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'webhooks.replay': {
    "group": "webhooks",
    "method": "replay",
    "about": "Of the kinds that the webhook asks for, in the order of the log, 1000 at a time: while next_after is there, call again with it. What waits for its next attempt is sent now; what is being sent is left alone. It calls POST /api/sso/v1/webhooks/<webhook_id>/replay, which needs the scope write:webhooks.",
    "takes": [
      "WEBHOOK_ID"
    ],
    "hasBody": true,
    "fields": [
      {
        "name": "after",
        "in": "body",
        "kind": "text",
        "help": "The last event that need not be sent again",
        "isRequired": true
      }
    ]
  },
  'events.list': {
    "group": "events",
    "method": "list",
    "about": "The oldest first, kept for 30 days. Whoever asks again with the id of the last event that they have as after misses none, however transactions overlap: an event is shown once all those before it are. It calls GET /api/sso/v1/events, which needs the scope read:events.",
    "takes": [],
    "hasBody": false,
    "fields": [
      {
        "name": "after",
        "in": "query",
        "kind": "text",
        "help": "The last event that the caller has; without it the oldest one kept is first"
      },
      {
        "name": "type",
        "in": "query",
        "kind": "text",
        "help": "A kind of event",
        "choices": [
          "user.created",
          "user.updated",
          "user.deleted",
          "user.login",
          "user.logout",
          "session.created",
          "session.revoked",
          "role.assigned",
          "workspace.created",
          "role.unassigned",
          "role.created",
          "role.updated",
          "role.deleted",
          "workspace.updated",
          "workspace.deleted",
          "workspace.member_added",
          "workspace.member_removed",
          "tenant.updated",
          "key.rotated",
          "key.retired",
          "agent.created",
          "agent.updated",
          "agent.deleted",
          "apikey.created",
          "apikey.rotated",
          "apikey.revoked",
          "delegation.created",
          "delegation.revoked",
          "webhook.created",
          "webhook.updated",
          "webhook.deleted",
          "webhook.disabled",
          "webhook.test"
        ]
      },
      {
        "name": "subject",
        "in": "query",
        "kind": "text",
        "help": "What the event is about: the id of a user, a session, an agent …"
      }
    ]
  },
} as const satisfies Record<string, RouteFields>;

export type RouteId = keyof typeof FIELDS;
export const ROUTES: Readonly<Record<RouteId, RouteFields>> = FIELDS;
