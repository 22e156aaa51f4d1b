// Generated from the contract by `npm run generate`.

import type { RouteFields } from '../remote/route-fields.ts';

const FIELDS = {
  'users.list': {
    "group": "users",
    "method": "list",
    "about": "The newest first by default. Several filters must all match. Calls GET /api/sso/v1/users, which requires the scope read:users.",
    "takes": [],
    "hasBody": false,
    "fields": [
      {
        "name": "cursor",
        "in": "query",
        "kind": "text",
        "help": "The meta.next_cursor of the previous page"
      },
      {
        "name": "sort",
        "in": "query",
        "kind": "text",
        "help": "By age or by first identifier; - reverses the order. Default -created_at",
        "choices": [
          "created_at",
          "-created_at",
          "identifier",
          "-identifier"
        ]
      },
      {
        "name": "ids",
        "in": "query",
        "kind": "text",
        "help": "Only users with these IDs: up to 100, separated by commas. Unknown IDs are ignored"
      },
      {
        "name": "role",
        "in": "query",
        "kind": "text",
        "help": "Name of the role: at most 64 lower-case letters, digits, - and _"
      },
      {
        "name": "workspace_id",
        "in": "query",
        "kind": "text",
        "help": "ID of a workspace: ws_<slug>"
      },
      {
        "name": "email",
        "in": "query",
        "kind": "text",
        "help": "Any part of an email address, case-insensitive; % and _ are literal"
      },
      {
        "name": "is_active",
        "in": "query",
        "kind": "boolean",
        "help": "true or false"
      },
      {
        "name": "is_verified",
        "in": "query",
        "kind": "boolean",
        "help": "true or false"
      },
      {
        "name": "has_logged_in",
        "in": "query",
        "kind": "boolean",
        "help": "true or false"
      },
      {
        "name": "last_login_before",
        "in": "query",
        "kind": "text",
        "help": "Only those whose last login, to the minute, was before this time (RFC 3339)"
      },
      {
        "name": "tenant_id",
        "in": "query",
        "kind": "text",
        "help": "ID of another tenant. System administrators only"
      }
    ]
  },
  'users.get': {
    "group": "users",
    "method": "get",
    "about": "With identifiers, roles and workspaces. Secrets are never shown. Calls GET /api/sso/v1/users/<user_id>, which requires the scope read:users.",
    "takes": [
      "USER_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'users.create': {
    "group": "users",
    "method": "create",
    "about": "Default role: member. Callers cannot assign a role that holds more than they do. Calls POST /api/sso/v1/users, which requires the scope write:users.",
    "takes": [],
    "hasBody": true,
    "fields": [
      {
        "name": "identifier",
        "in": "body",
        "kind": "text",
        "help": "An email address, or a phone number in E.164 form",
        "isRequired": true
      },
      {
        "name": "password",
        "in": "body",
        "kind": "secret",
        "help": "A password of at most 256 characters after NFKC",
        "isRequired": true
      },
      {
        "name": "roles",
        "in": "body",
        "kind": "list",
        "help": "Names of their roles"
      }
    ]
  },
  'users.update': {
    "group": "users",
    "method": "update",
    "about": "Lists replace the current ones. A new password, and is_active: false, end every session of the user immediately. Calls PATCH /api/sso/v1/users/<user_id>, which requires the scope write:users.",
    "takes": [
      "USER_ID"
    ],
    "hasBody": true,
    "fields": [
      {
        "name": "identifiers",
        "in": "body",
        "kind": "json",
        "help": "Identifiers in the form that GET returns; type and verified are optional. A known identifier keeps its verified, a new one is not verified"
      },
      {
        "name": "password",
        "in": "body",
        "kind": "secret",
        "help": "A password of at most 256 characters after NFKC"
      },
      {
        "name": "roles",
        "in": "body",
        "kind": "list",
        "help": "Names of their roles"
      },
      {
        "name": "workspaces",
        "in": "body",
        "kind": "list",
        "help": "Replaces the workspaces that the user belongs to"
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
        "help": "Free-form data about the user. Only administrators can write it. At most 16 KiB as JSON, 32 levels deep"
      },
      {
        "name": "user_metadata",
        "in": "body",
        "kind": "json",
        "help": "Free-form data that users write themselves. At most 16 KiB as JSON, 32 levels deep"
      }
    ]
  },
  'users.delete': {
    "group": "users",
    "method": "delete",
    "about": "Irreversible. Every session of the user and every delegation that they gave ends immediately; agents that they owned remain, without an owner. dry_run=true returns the dependents of the user, and changes nothing. Calls DELETE /api/sso/v1/users/<user_id>, which requires the scope delete:users.",
    "takes": [
      "USER_ID"
    ],
    "hasBody": false,
    "fields": [
      {
        "name": "dry_run",
        "in": "query",
        "kind": "switch",
        "help": "show what would happen, without changing anything"
      }
    ]
  },
  'users.disable': {
    "group": "users",
    "method": "disable",
    "about": "In one transaction, the user and the agents that they own become inactive, their sessions end, and their keys and delegations are revoked. When the response arrives, none of it works any more on any node. It is not restored when the user is made active again. Repeating it ends what was created since. The caller must hold the permissions of the user and of those agents. Calls POST /api/sso/v1/users/<user_id>/disable, which requires the scope write:users.",
    "takes": [
      "USER_ID"
    ],
    "hasBody": true,
    "fields": [
      {
        "name": "reason",
        "in": "body",
        "kind": "text",
        "help": "Reason, kept in the audit log",
        "isRequired": true
      }
    ]
  },
  'users.recover': {
    "group": "users",
    "method": "recover",
    "about": "To their first verified email address: a link to magic_link_url, and a code. With both, the user sets a new password, after their second factor if they have one. Nothing changes until then. Callers cannot act on users who hold more than they do. Calls POST /api/sso/v1/users/<user_id>/recovery, which requires the scope write:users.",
    "takes": [
      "USER_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'invitations.create': {
    "group": "invitations",
    "method": "create",
    "about": "Sends a message with a token to an email address. The response is the same whether or not a user has it. Callers cannot grant roles with scopes that they do not hold; workspaces need write:workspaces. Both are checked again when the invitation is accepted, against what the inviter holds then. Calls POST /api/sso/v1/invitations, which requires the scope write:users.",
    "takes": [],
    "hasBody": true,
    "fields": [
      {
        "name": "identifier",
        "in": "body",
        "kind": "text",
        "help": "The email address that the invitation is sent to",
        "isRequired": true
      },
      {
        "name": "roles",
        "in": "body",
        "kind": "list",
        "help": "Roles to assign. Default: member"
      },
      {
        "name": "workspaces",
        "in": "body",
        "kind": "list",
        "help": "Workspaces to join, besides the default one"
      },
      {
        "name": "expires_in_days",
        "in": "body",
        "kind": "number",
        "help": "Lifetime in days. Default 7"
      },
      {
        "name": "locale",
        "in": "body",
        "kind": "text",
        "help": "A language tag, with script and region if needed (BCP 47)"
      }
    ]
  },
  'invitations.list': {
    "group": "invitations",
    "method": "list",
    "about": "The newest first, until 30 days after they expire. Calls GET /api/sso/v1/invitations, which requires the scope read:users.",
    "takes": [],
    "hasBody": false,
    "fields": [
      {
        "name": "cursor",
        "in": "query",
        "kind": "text",
        "help": "The meta.next_cursor of the previous page"
      },
      {
        "name": "tenant_id",
        "in": "query",
        "kind": "text",
        "help": "ID of another tenant. System administrators only"
      },
      {
        "name": "identifier",
        "in": "query",
        "kind": "text",
        "help": "An email address, or a phone number in E.164 form"
      },
      {
        "name": "status",
        "in": "query",
        "kind": "text",
        "help": "Only those in this state",
        "choices": [
          "pending",
          "accepted",
          "revoked",
          "expired"
        ]
      },
      {
        "name": "sort",
        "in": "query",
        "kind": "text",
        "help": "Sort order by age: -created_at, the default, lists the newest first",
        "choices": [
          "created_at",
          "-created_at"
        ]
      }
    ]
  },
  'invitations.get': {
    "group": "invitations",
    "method": "get",
    "about": "Returns the invitation without its token, which only its message contains. Calls GET /api/sso/v1/invitations/<invitation_id>, which requires the scope read:users.",
    "takes": [
      "INVITATION_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'invitations.delete': {
    "group": "invitations",
    "method": "delete",
    "about": "Revokes the invitation: it can no longer be accepted. Returns 404 if the invitation is not pending. Calls DELETE /api/sso/v1/invitations/<invitation_id>, which requires the scope delete:users.",
    "takes": [
      "INVITATION_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'invitations.resend': {
    "group": "invitations",
    "method": "resend",
    "about": "Sends the message again, with the same token and the same expiry. Returns 404 if the invitation is not pending. A second message within 30 seconds is rejected. Calls POST /api/sso/v1/invitations/<invitation_id>/resend, which requires the scope write:users.",
    "takes": [
      "INVITATION_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'agents.list': {
    "group": "agents",
    "method": "list",
    "about": "The newest first. Several filters must all match. Calls GET /api/sso/v1/agents, which requires the scope read:agents.",
    "takes": [],
    "hasBody": false,
    "fields": [
      {
        "name": "cursor",
        "in": "query",
        "kind": "text",
        "help": "The meta.next_cursor of the previous page"
      },
      {
        "name": "tenant_id",
        "in": "query",
        "kind": "text",
        "help": "ID of another tenant. System administrators only"
      },
      {
        "name": "sort",
        "in": "query",
        "kind": "text",
        "help": "Sort order by age: -created_at, the default, lists the newest first",
        "choices": [
          "created_at",
          "-created_at"
        ]
      },
      {
        "name": "workspace_id",
        "in": "query",
        "kind": "text",
        "help": "ID of a workspace: ws_<slug>"
      },
      {
        "name": "owner_id",
        "in": "query",
        "kind": "text",
        "help": "ID of a user: user:<id>"
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
    "about": "Without scopes the agent has no permissions, without workspace_id it belongs to ws_default, and without owner_id the caller owns it. Callers cannot grant permissions that they do not hold, nor scopes of resources that require them. Calls POST /api/sso/v1/agents, which requires the scope write:agents.",
    "takes": [],
    "hasBody": true,
    "fields": [
      {
        "name": "name",
        "in": "body",
        "kind": "text",
        "help": "Display name: one line",
        "isRequired": true
      },
      {
        "name": "description",
        "in": "body",
        "kind": "text",
        "help": "Purpose of the record"
      },
      {
        "name": "scopes",
        "in": "body",
        "kind": "list",
        "help": "Scopes of the agent: only those that the caller may grant"
      },
      {
        "name": "workspace_id",
        "in": "body",
        "kind": "text",
        "help": "ID of a workspace: ws_<slug>"
      },
      {
        "name": "owner_id",
        "in": "body",
        "kind": "text",
        "help": "ID of a user: user:<id>"
      },
      {
        "name": "jwks",
        "in": "body",
        "kind": "json",
        "help": "Public keys that verify assertions"
      },
      {
        "name": "trusts",
        "in": "body",
        "kind": "json",
        "help": "External issuers whose tokens authenticate the agent. A token must match one entry. Each entry needs a subject or claims"
      }
    ]
  },
  'agents.get': {
    "group": "agents",
    "method": "get",
    "about": "Returns the agent with its scopes and its authentication methods. Calls GET /api/sso/v1/agents/<agent_id>, which requires the scope read:agents.",
    "takes": [
      "AGENT_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'agents.update': {
    "group": "agents",
    "method": "update",
    "about": "A change of scopes, workspace_id, is_active, jwks or trusts takes effect with the next request: previously issued tokens are rejected. The keys of an inactive agent do not work; once it is active again, those that have not expired do. Callers cannot change an agent that holds more than they do. Calls PATCH /api/sso/v1/agents/<agent_id>, which requires the scope write:agents.",
    "takes": [
      "AGENT_ID"
    ],
    "hasBody": true,
    "fields": [
      {
        "name": "name",
        "in": "body",
        "kind": "text",
        "help": "Display name: one line"
      },
      {
        "name": "description",
        "in": "body",
        "kind": "text",
        "help": "Purpose of the record"
      },
      {
        "name": "scopes",
        "in": "body",
        "kind": "list",
        "help": "Replaces the scopes of the agent"
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
        "help": "ID of a workspace: ws_<slug>"
      },
      {
        "name": "owner_id",
        "in": "body",
        "kind": "text",
        "help": "ID of a user: user:<id>"
      },
      {
        "name": "jwks",
        "in": "body",
        "kind": "json",
        "help": "Replaces the keys of the agent; null removes them"
      },
      {
        "name": "trusts",
        "in": "body",
        "kind": "json",
        "help": "External issuers whose tokens authenticate the agent. A token must match one entry. Each entry needs a subject or claims"
      }
    ]
  },
  'agents.delete': {
    "group": "agents",
    "method": "delete",
    "about": "Deletes the agent irreversibly, with its keys and the delegations to it. dry_run=true returns the dependents of the agent, and changes nothing. Calls DELETE /api/sso/v1/agents/<agent_id>, which requires the scope delete:agents.",
    "takes": [
      "AGENT_ID"
    ],
    "hasBody": false,
    "fields": [
      {
        "name": "dry_run",
        "in": "query",
        "kind": "switch",
        "help": "show what would happen, without changing anything"
      }
    ]
  },
  'apikeys.list': {
    "group": "apikeys",
    "method": "list",
    "about": "Including expired and revoked ones. The keys themselves are not shown. Calls GET /api/sso/v1/apikeys, which requires the scope read:apikeys.",
    "takes": [],
    "hasBody": false,
    "fields": [
      {
        "name": "cursor",
        "in": "query",
        "kind": "text",
        "help": "The meta.next_cursor of the previous page"
      },
      {
        "name": "tenant_id",
        "in": "query",
        "kind": "text",
        "help": "ID of another tenant. System administrators only"
      },
      {
        "name": "sort",
        "in": "query",
        "kind": "text",
        "help": "Sort order by age: -created_at, the default, lists the newest first",
        "choices": [
          "created_at",
          "-created_at"
        ]
      },
      {
        "name": "agent_id",
        "in": "query",
        "kind": "text",
        "help": "ID of an agent: service:<id>"
      }
    ]
  },
  'apikeys.create': {
    "group": "apikeys",
    "method": "create",
    "about": "The key is shown in this response only. scopes restricts it to a subset of those of its agent; default: all. Callers cannot create a key of an agent that holds more than they do. Calls POST /api/sso/v1/apikeys, which requires the scope write:apikeys.",
    "takes": [],
    "hasBody": true,
    "fields": [
      {
        "name": "agent_id",
        "in": "body",
        "kind": "text",
        "help": "ID of an agent: service:<id>",
        "isRequired": true
      },
      {
        "name": "name",
        "in": "body",
        "kind": "text",
        "help": "Display name: one line",
        "isRequired": true
      },
      {
        "name": "expires_in_days",
        "in": "body",
        "kind": "number",
        "help": "Lifetime of the key in days. Default 90"
      },
      {
        "name": "scopes",
        "in": "body",
        "kind": "list",
        "help": "A subset of the scopes of its agent"
      },
      {
        "name": "allowed_ips",
        "in": "body",
        "kind": "list",
        "help": "IPv4 and IPv6 addresses, and networks in CIDR form, that may use the key"
      }
    ]
  },
  'apikeys.get': {
    "group": "apikeys",
    "method": "get",
    "about": "Returns the record without the key itself. Calls GET /api/sso/v1/apikeys/<key_id>, which requires the scope read:apikeys.",
    "takes": [
      "KEY_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'apikeys.rotate': {
    "group": "apikeys",
    "method": "rotate",
    "about": "The successor has the same agent, name, scopes, addresses and lifetime. The old key remains valid for overlap_days, if it does not expire before; with 0 it is revoked immediately. A key can be rotated once. Calls POST /api/sso/v1/apikeys/<key_id>/rotate, which requires the scope write:apikeys.",
    "takes": [
      "KEY_ID"
    ],
    "hasBody": true,
    "fields": [
      {
        "name": "overlap_days",
        "in": "body",
        "kind": "number",
        "help": "Days that the old key remains valid. Default 7"
      }
    ]
  },
  'apikeys.delete': {
    "group": "apikeys",
    "method": "delete",
    "about": "Revokes the key: it is rejected from the next request on, and its record remains. Revoking a revoked key returns 404. Calls DELETE /api/sso/v1/apikeys/<key_id>, which requires the scope delete:apikeys.",
    "takes": [
      "KEY_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'webhooks.list': {
    "group": "webhooks",
    "method": "list",
    "about": "The newest first. Their secrets are not shown. Calls GET /api/sso/v1/webhooks, which requires the scope read:webhooks.",
    "takes": [],
    "hasBody": false,
    "fields": [
      {
        "name": "cursor",
        "in": "query",
        "kind": "text",
        "help": "The meta.next_cursor of the previous page"
      },
      {
        "name": "tenant_id",
        "in": "query",
        "kind": "text",
        "help": "ID of another tenant. System administrators only"
      },
      {
        "name": "sort",
        "in": "query",
        "kind": "text",
        "help": "Sort order by age: -created_at, the default, lists the newest first",
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
    "about": "The secret is shown in this response only. Requires the scopes to read what the events contain; the list of events names them. Calls POST /api/sso/v1/webhooks, which requires the scope write:webhooks.",
    "takes": [],
    "hasBody": true,
    "fields": [
      {
        "name": "url",
        "in": "body",
        "kind": "text",
        "help": "A public https address, or one that the operator allows",
        "isRequired": true
      },
      {
        "name": "events",
        "in": "body",
        "kind": "list",
        "help": "Event types to send",
        "choices": [
          "user.created",
          "user.updated",
          "user.reclaimed",
          "password.recovered",
          "identifier.verified",
          "user.invited",
          "invitation.accepted",
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
          "consent.granted",
          "consent.revoked",
          "factor.added",
          "factor.removed",
          "factor.suspicious",
          "identity.linked",
          "identity.unlinked",
          "webhook.created",
          "webhook.updated",
          "webhook.deleted",
          "webhook.disabled",
          "message.failed",
          "messaging.failing",
          "sms.paused",
          "webhook.test"
        ],
        "isRequired": true
      },
      {
        "name": "secret",
        "in": "body",
        "kind": "secret",
        "help": "Default: generated, 32 random bytes. A short one can be guessed from a signed delivery: use at least 32 random characters. If it is whsec_ and base64, the headers of Standard Webhooks are signed with the decoded bytes, otherwise with the text"
      }
    ]
  },
  'webhooks.get': {
    "group": "webhooks",
    "method": "get",
    "about": "Returns the webhook without its secret. Calls GET /api/sso/v1/webhooks/<webhook_id>, which requires the scope read:webhooks.",
    "takes": [
      "WEBHOOK_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'webhooks.update': {
    "group": "webhooks",
    "method": "update",
    "about": "Events that happen while it is inactive are not queued for it; replay sends them afterwards. Deliveries queued before are kept. Every change except to is_active: false requires the scopes to read what its events contain. Another url requires secret. Calls PATCH /api/sso/v1/webhooks/<webhook_id>, which requires the scope write:webhooks.",
    "takes": [
      "WEBHOOK_ID"
    ],
    "hasBody": true,
    "fields": [
      {
        "name": "url",
        "in": "body",
        "kind": "text",
        "help": "A public https address, or one that the operator allows"
      },
      {
        "name": "secret",
        "in": "body",
        "kind": "secret",
        "help": "Required with another url: the current secret, or a new one. It replaces the current one without an overlap"
      },
      {
        "name": "events",
        "in": "body",
        "kind": "list",
        "help": "Event types to send",
        "choices": [
          "user.created",
          "user.updated",
          "user.reclaimed",
          "password.recovered",
          "identifier.verified",
          "user.invited",
          "invitation.accepted",
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
          "consent.granted",
          "consent.revoked",
          "factor.added",
          "factor.removed",
          "factor.suspicious",
          "identity.linked",
          "identity.unlinked",
          "webhook.created",
          "webhook.updated",
          "webhook.deleted",
          "webhook.disabled",
          "message.failed",
          "messaging.failing",
          "sms.paused",
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
    "about": "Deletes the webhook. Nothing more is sent to it, including queued deliveries. Its delivery log can no longer be read, and is deleted with the events, after 30 days. Calls DELETE /api/sso/v1/webhooks/<webhook_id>, which requires the scope delete:webhooks.",
    "takes": [
      "WEBHOOK_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'webhooks.rotate': {
    "group": "webhooks",
    "method": "rotate",
    "about": "During the overlap both are valid: webhook-signature carries one signature for each, X-Service-Signature uses the previous secret until the overlap ends. Calls POST /api/sso/v1/webhooks/<webhook_id>/rotate, which requires the scope write:webhooks.",
    "takes": [
      "WEBHOOK_ID"
    ],
    "hasBody": true,
    "fields": [
      {
        "name": "secret",
        "in": "body",
        "kind": "secret",
        "help": "Default: generated, 32 random bytes. A short one can be guessed from a signed delivery: use at least 32 random characters. If it is whsec_ and base64, the headers of Standard Webhooks are signed with the decoded bytes, otherwise with the text"
      },
      {
        "name": "overlap_hours",
        "in": "body",
        "kind": "number",
        "help": "Hours that the previous secret remains valid: default 24; 0 for a leaked one"
      }
    ]
  },
  'webhooks.list_deliveries': {
    "group": "webhooks",
    "method": "listDeliveries",
    "about": "The newest first, with the last response to each. Kept for 30 days. Calls GET /api/sso/v1/webhooks/<webhook_id>/deliveries, which requires the scope read:webhooks.",
    "takes": [
      "WEBHOOK_ID"
    ],
    "hasBody": false,
    "fields": [
      {
        "name": "cursor",
        "in": "query",
        "kind": "text",
        "help": "The meta.next_cursor of the previous page"
      },
      {
        "name": "sort",
        "in": "query",
        "kind": "text",
        "help": "Sort order by age: -created_at, the default, lists the newest first",
        "choices": [
          "created_at",
          "-created_at"
        ]
      },
      {
        "name": "status",
        "in": "query",
        "kind": "text",
        "help": "Status of the delivery",
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
    "about": "To this webhook only, whatever types it subscribes to. The delivery shows the result. Calls POST /api/sso/v1/webhooks/<webhook_id>/test, which requires the scope write:webhooks.",
    "takes": [
      "WEBHOOK_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'webhooks.retry_delivery': {
    "group": "webhooks",
    "method": "retryDelivery",
    "about": "Starts over with the first attempt, whatever the previous result. Calls POST /api/sso/v1/webhooks/<webhook_id>/deliveries/<delivery_id>/retry, which requires the scope write:webhooks.",
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
    "about": "Of the types that the webhook subscribes to, in the order of the log, 1000 at a time: while next_after is present, call again with it. Deliveries waiting for their next attempt are sent now; those in progress are left alone. Calls POST /api/sso/v1/webhooks/<webhook_id>/replay, which requires the scope write:webhooks.",
    "takes": [
      "WEBHOOK_ID"
    ],
    "hasBody": true,
    "fields": [
      {
        "name": "after",
        "in": "body",
        "kind": "text",
        "help": "The last event not to send again",
        "isRequired": true
      },
      {
        "name": "dry_run",
        "in": "body",
        "kind": "switch",
        "help": "show what would happen, without changing anything"
      }
    ]
  },
  'events.list': {
    "group": "events",
    "method": "list",
    "about": "The oldest first, kept for 30 days. Polling with after set to the id of the last received event misses none, even if transactions overlap: an event is listed only once all previous ones are. Calls GET /api/sso/v1/events, which requires the scope read:events.",
    "takes": [],
    "hasBody": false,
    "fields": [
      {
        "name": "after",
        "in": "query",
        "kind": "text",
        "help": "The last received event; default: start with the oldest"
      },
      {
        "name": "cursor",
        "in": "query",
        "kind": "text",
        "help": "meta.next_cursor of the previous page; takes precedence over after"
      },
      {
        "name": "type",
        "in": "query",
        "kind": "text",
        "help": "Type of the event",
        "choices": [
          "user.created",
          "user.updated",
          "user.reclaimed",
          "password.recovered",
          "identifier.verified",
          "user.invited",
          "invitation.accepted",
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
          "consent.granted",
          "consent.revoked",
          "factor.added",
          "factor.removed",
          "factor.suspicious",
          "identity.linked",
          "identity.unlinked",
          "webhook.created",
          "webhook.updated",
          "webhook.deleted",
          "webhook.disabled",
          "message.failed",
          "messaging.failing",
          "sms.paused",
          "webhook.test"
        ]
      },
      {
        "name": "subject",
        "in": "query",
        "kind": "text",
        "help": "Subject of the event: the id of a user, a session, an agent …"
      },
      {
        "name": "tenant_id",
        "in": "query",
        "kind": "text",
        "help": "ID of another tenant. System administrators only"
      }
    ]
  },
} as const satisfies Record<string, RouteFields>;

export type RouteId = keyof typeof FIELDS;
export const ROUTES: Readonly<Record<RouteId, RouteFields>> = FIELDS;
