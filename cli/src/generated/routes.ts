// Generated from the contract by `npm run generate`.

import type { RouteFields } from '../remote/route-fields.ts';

const FIELDS = {
  'users.list': {
    "group": "users",
    "method": "list",
    "about": "Newest first by default. If you send several filters, all of them must match. In a tenant with more than 10,000 users, a page can have fewer users than limit, or none, although there is a next_cursor: reading stops after some thousand users that do not match. Continue with the cursor; a page number would skip users. Calls GET /api/sso/v1/users, which requires the scope read:users.",
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
        "help": "Sort order: by age, first identifier, name or last login. - reverses the order. Users without a name come after all names, and users who have never signed in come before all logins. Default: -created_at",
        "choices": [
          "created_at",
          "-created_at",
          "identifier",
          "-identifier",
          "name",
          "-name",
          "last_login_at",
          "-last_login_at"
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
        "name": "search",
        "in": "query",
        "kind": "text",
        "help": "Any part of a name, an email address or a phone number, or the ID of a user. Ignores case and, in names, accents; % and _ are literal characters"
      },
      {
        "name": "email",
        "in": "query",
        "kind": "text",
        "help": "Any part of an email address. Case-insensitive; % and _ are literal characters"
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
        "help": "Only users whose last login, to the minute, was before this time (RFC 3339)"
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
    "about": "Returns the user with identifiers, roles and workspaces. Secrets are never shown. Calls GET /api/sso/v1/users/<user_id>, which requires the scope read:users.",
    "takes": [
      "USER_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'users.create': {
    "group": "users",
    "method": "create",
    "about": "The default role is member. You cannot assign a role with scopes that you do not hold. Calls POST /api/sso/v1/users, which requires the scope write:users.",
    "takes": [],
    "hasBody": true,
    "fields": [
      {
        "name": "identifier",
        "in": "body",
        "kind": "text",
        "help": "An email address, or a phone number in E.164 format",
        "isRequired": true
      },
      {
        "name": "password",
        "in": "body",
        "kind": "secret",
        "help": "A password of at most 256 characters after NFKC normalization",
        "isRequired": true
      },
      {
        "name": "name",
        "in": "body",
        "kind": "json",
        "help": "Name of the user; null if it is not set"
      },
      {
        "name": "picture",
        "in": "body",
        "kind": "json",
        "help": "URL of a picture of the user; null if there is none. An https URL of a public host, without credentials"
      },
      {
        "name": "roles",
        "in": "body",
        "kind": "list",
        "help": "Roles of the user"
      }
    ]
  },
  'users.update': {
    "group": "users",
    "method": "update",
    "about": "Lists replace the current ones. A new password, and is_active: false, end all sessions of the user immediately. Calls PATCH /api/sso/v1/users/<user_id>, which requires the scope write:users.",
    "takes": [
      "USER_ID"
    ],
    "hasBody": true,
    "fields": [
      {
        "name": "name",
        "in": "body",
        "kind": "json",
        "help": "Name of the user; null if it is not set"
      },
      {
        "name": "picture",
        "in": "body",
        "kind": "json",
        "help": "URL of a picture of the user; null if there is none. An https URL of a public host, without credentials"
      },
      {
        "name": "identifiers",
        "in": "body",
        "kind": "json",
        "help": "Identifiers in the form that GET returns. type and verified are optional. A known identifier keeps its verified, and a new one is not verified"
      },
      {
        "name": "password",
        "in": "body",
        "kind": "secret",
        "help": "A password of at most 256 characters after NFKC normalization"
      },
      {
        "name": "roles",
        "in": "body",
        "kind": "list",
        "help": "Roles of the user"
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
    "about": "Irreversible. All sessions of the user and all delegations that they gave end immediately. Agents that they own keep working, and owner_id still names the user; to stop these agents as well, disable the user first. With dry_run=true, returns the user’s dependents and changes nothing. Calls DELETE /api/sso/v1/users/<user_id>, which requires the scope delete:users.",
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
    "about": "In one transaction, the user and their agents become inactive, their sessions end, and their keys and delegations are revoked. When you receive the response, none of these works on any node. Reactivating the user does not restore them. If you call this route again, it ends everything created since. You must hold the permissions of the user and of those agents. Calls POST /api/sso/v1/users/<user_id>/disable, which requires the scope write:users.",
    "takes": [
      "USER_ID"
    ],
    "hasBody": true,
    "fields": [
      {
        "name": "reason",
        "in": "body",
        "kind": "text",
        "help": "Reason, recorded in the audit log",
        "isRequired": true
      }
    ]
  },
  'users.recover': {
    "group": "users",
    "method": "recover",
    "about": "Sends a link to magic_link_url and a code to the user’s first verified email address. With both, the user sets a new password, after proving their second factor if they have one. Nothing changes until then. You cannot act on users who hold permissions that you do not hold. Calls POST /api/sso/v1/users/<user_id>/recovery, which requires the scope write:users.",
    "takes": [
      "USER_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'users.unlock': {
    "group": "users",
    "method": "unlock",
    "about": "Resets the limits on wrong passwords and codes of a user, so that they can sign in again without waiting. Returns the limits that had been reached. A suspended factor remains suspended. You cannot unlock yourself, or users who hold permissions that you do not hold. Calls POST /api/sso/v1/users/<user_id>/unlock, which requires the scope write:users.",
    "takes": [
      "USER_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'invitations.create': {
    "group": "invitations",
    "method": "create",
    "about": "Sends a message with a token to an email address. The response is the same whether or not a user has the email address. You cannot grant roles with scopes that you do not hold. Workspaces require write:workspaces. Both are checked again when the invitation is accepted, against the inviter’s permissions at that time. Calls POST /api/sso/v1/invitations, which requires the scope write:users.",
    "takes": [],
    "hasBody": true,
    "fields": [
      {
        "name": "identifier",
        "in": "body",
        "kind": "text",
        "help": "Email address that the invitation is sent to",
        "isRequired": true
      },
      {
        "name": "name",
        "in": "body",
        "kind": "json",
        "help": "Name of the person. New users can change it before they join. It does not change existing users"
      },
      {
        "name": "client_id",
        "in": "body",
        "kind": "json",
        "help": "Application to open after the person has joined on the pages of the service. It needs an initiate_login_uri or a client_uri. Default: the account page"
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
        "help": "Workspaces to join, in addition to the default workspace"
      },
      {
        "name": "expires_in_days",
        "in": "body",
        "kind": "number",
        "help": "Lifetime in days. Default: 7"
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
    "about": "Newest first. Invitations are kept until 30 days after they expire. Calls GET /api/sso/v1/invitations, which requires the scope read:users.",
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
        "help": "An email address, or a phone number in E.164 format"
      },
      {
        "name": "status",
        "in": "query",
        "kind": "text",
        "help": "Only invitations in this state",
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
        "help": "Sort order by age. -created_at (default) lists the newest first",
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
    "about": "Returns the invitation without its token. Only the invitation’s message contains the token. Calls GET /api/sso/v1/invitations/<invitation_id>, which requires the scope read:users.",
    "takes": [
      "INVITATION_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'invitations.delete': {
    "group": "invitations",
    "method": "delete",
    "about": "The invitation can no longer be accepted. Returns 404 if it is not pending. Calls DELETE /api/sso/v1/invitations/<invitation_id>, which requires the scope delete:users.",
    "takes": [
      "INVITATION_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'invitations.resend': {
    "group": "invitations",
    "method": "resend",
    "about": "Sends the message again, with the same token and expiry. Returns 404 if the invitation is not pending. Rejected within 30 seconds of the previous message. Calls POST /api/sso/v1/invitations/<invitation_id>/resend, which requires the scope write:users.",
    "takes": [
      "INVITATION_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'agents.list': {
    "group": "agents",
    "method": "list",
    "about": "Newest first. If you send several filters, all of them must match. Calls GET /api/sso/v1/agents, which requires the scope read:agents.",
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
        "help": "Sort order by age. -created_at (default) lists the newest first",
        "choices": [
          "created_at",
          "-created_at"
        ]
      },
      {
        "name": "search",
        "in": "query",
        "kind": "text",
        "help": "Any part of the name, or the ID. Case-insensitive"
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
    "about": "Without scopes, the agent has no permissions. Without workspace_id, it belongs to ws_default. Without owner_id, the caller owns it. You cannot grant permissions that you do not hold, or scopes of resources that require such permissions. Calls POST /api/sso/v1/agents, which requires the scope write:agents.",
    "takes": [],
    "hasBody": true,
    "fields": [
      {
        "name": "name",
        "in": "body",
        "kind": "text",
        "help": "Display name, on a single line",
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
        "help": "Scopes of the agent. You can only assign scopes that you are allowed to grant"
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
    "about": "Returns the agent with its scopes and authentication methods. Calls GET /api/sso/v1/agents/<agent_id>, which requires the scope read:agents.",
    "takes": [
      "AGENT_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'agents.update': {
    "group": "agents",
    "method": "update",
    "about": "Changes to scopes, workspace_id, is_active, jwks and trusts take effect with the next request: tokens issued before are rejected. Keys of an inactive agent do not work. If the agent becomes active again, its unexpired keys work again. You cannot update an agent that holds permissions that you do not hold. Calls PATCH /api/sso/v1/agents/<agent_id>, which requires the scope write:agents.",
    "takes": [
      "AGENT_ID"
    ],
    "hasBody": true,
    "fields": [
      {
        "name": "name",
        "in": "body",
        "kind": "text",
        "help": "Display name, on a single line"
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
        "help": "Replaces the agent’s keys. null removes them"
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
    "about": "Permanently deletes the agent, its keys and the delegations to it. With dry_run=true, returns the agent’s dependents and changes nothing. Calls DELETE /api/sso/v1/agents/<agent_id>, which requires the scope delete:agents.",
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
    "about": "Includes expired and revoked keys. The keys themselves are not shown. Calls GET /api/sso/v1/apikeys, which requires the scope read:apikeys.",
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
        "help": "Sort order by age. -created_at (default) lists the newest first",
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
    "about": "The key is shown only in this response. scopes restricts the key to a subset of the agent’s scopes; by default, it has all of them. You cannot create a key for an agent that holds permissions that you do not hold. Calls POST /api/sso/v1/apikeys, which requires the scope write:apikeys.",
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
        "help": "Display name, on a single line",
        "isRequired": true
      },
      {
        "name": "expires_in_days",
        "in": "body",
        "kind": "number",
        "help": "Lifetime of the key, in days. Default: 90"
      },
      {
        "name": "scopes",
        "in": "body",
        "kind": "list",
        "help": "A subset of the agent’s scopes"
      },
      {
        "name": "allowed_ips",
        "in": "body",
        "kind": "list",
        "help": "IPv4 and IPv6 addresses, and networks in CIDR notation, that can use the key"
      }
    ]
  },
  'apikeys.get': {
    "group": "apikeys",
    "method": "get",
    "about": "Returns the key’s record, without the key itself. Calls GET /api/sso/v1/apikeys/<key_id>, which requires the scope read:apikeys.",
    "takes": [
      "KEY_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'apikeys.rotate': {
    "group": "apikeys",
    "method": "rotate",
    "about": "Creates a successor with the same agent, name, scopes, IP addresses and lifetime. The old key remains valid for overlap_days unless it expires earlier. With 0, it is revoked immediately. A key can be rotated only once. Calls POST /api/sso/v1/apikeys/<key_id>/rotate, which requires the scope write:apikeys.",
    "takes": [
      "KEY_ID"
    ],
    "hasBody": true,
    "fields": [
      {
        "name": "overlap_days",
        "in": "body",
        "kind": "number",
        "help": "Number of days that the old key remains valid. Default: 7"
      }
    ]
  },
  'apikeys.delete': {
    "group": "apikeys",
    "method": "delete",
    "about": "The key is rejected immediately. Its record is kept. Returns 404 if the key is already revoked. Calls DELETE /api/sso/v1/apikeys/<key_id>, which requires the scope delete:apikeys.",
    "takes": [
      "KEY_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'webhooks.list': {
    "group": "webhooks",
    "method": "list",
    "about": "Newest first. Secrets are not shown. Calls GET /api/sso/v1/webhooks, which requires the scope read:webhooks.",
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
        "help": "Sort order by age. -created_at (default) lists the newest first",
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
    "about": "The secret is shown only in this response. Requires the scopes to read what the events contain; the list of events names them. Calls POST /api/sso/v1/webhooks, which requires the scope write:webhooks.",
    "takes": [],
    "hasBody": true,
    "fields": [
      {
        "name": "url",
        "in": "body",
        "kind": "text",
        "help": "A public https URL, or a URL that the operator allows",
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
        "help": "Signing secret. Default: 32 generated random bytes. A short secret can be guessed from a signed delivery, so use at least 32 random characters. If the secret is whsec_ followed by base64, the Standard Webhooks headers are signed with the decoded bytes, otherwise with the text itself"
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
    "about": "Events that happen while the webhook is inactive are not queued for it; use replay to send them later. Deliveries that are already queued are kept. Every change except is_active: false requires the scopes to read what the webhook’s events contain. If you change url, you must also send secret. Calls PATCH /api/sso/v1/webhooks/<webhook_id>, which requires the scope write:webhooks.",
    "takes": [
      "WEBHOOK_ID"
    ],
    "hasBody": true,
    "fields": [
      {
        "name": "url",
        "in": "body",
        "kind": "text",
        "help": "A public https URL, or a URL that the operator allows"
      },
      {
        "name": "secret",
        "in": "body",
        "kind": "secret",
        "help": "Required if you change url: the current secret or a new one. It replaces the current secret without an overlap"
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
    "about": "Nothing more is sent to the webhook, including queued deliveries. Its delivery log is no longer available and is deleted together with the events after 30 days. Calls DELETE /api/sso/v1/webhooks/<webhook_id>, which requires the scope delete:webhooks.",
    "takes": [
      "WEBHOOK_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'webhooks.rotate': {
    "group": "webhooks",
    "method": "rotate",
    "about": "During the overlap, both secrets are valid. webhook-signature contains one signature for each. X-Service-Signature uses the previous secret until the overlap ends. Calls POST /api/sso/v1/webhooks/<webhook_id>/rotate, which requires the scope write:webhooks.",
    "takes": [
      "WEBHOOK_ID"
    ],
    "hasBody": true,
    "fields": [
      {
        "name": "secret",
        "in": "body",
        "kind": "secret",
        "help": "Signing secret. Default: 32 generated random bytes. A short secret can be guessed from a signed delivery, so use at least 32 random characters. If the secret is whsec_ followed by base64, the Standard Webhooks headers are signed with the decoded bytes, otherwise with the text itself"
      },
      {
        "name": "overlap_hours",
        "in": "body",
        "kind": "number",
        "help": "Number of hours that the previous secret remains valid. Default: 24. Use 0 for a leaked secret"
      }
    ]
  },
  'webhooks.list_deliveries': {
    "group": "webhooks",
    "method": "listDeliveries",
    "about": "Newest first, with the last response to each. Kept for 30 days. Calls GET /api/sso/v1/webhooks/<webhook_id>/deliveries, which requires the scope read:webhooks.",
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
        "help": "Sort order by age. -created_at (default) lists the newest first",
        "choices": [
          "created_at",
          "-created_at"
        ]
      },
      {
        "name": "status",
        "in": "query",
        "kind": "text",
        "help": "Only deliveries with this status",
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
    "about": "Sends webhook.test only to this webhook, regardless of its event types. The delivery shows the result. Calls POST /api/sso/v1/webhooks/<webhook_id>/test, which requires the scope write:webhooks.",
    "takes": [
      "WEBHOOK_ID"
    ],
    "hasBody": false,
    "fields": []
  },
  'webhooks.retry_delivery': {
    "group": "webhooks",
    "method": "retryDelivery",
    "about": "Starts over with the first attempt, regardless of the previous result. Calls POST /api/sso/v1/webhooks/<webhook_id>/deliveries/<delivery_id>/retry, which requires the scope write:webhooks.",
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
    "about": "Sends the event types that the webhook subscribes to, in the order of the log, 1000 per call. While next_after is present, call again with it. Deliveries that are waiting for their next attempt are sent now. Those in progress are not changed. Calls POST /api/sso/v1/webhooks/<webhook_id>/replay, which requires the scope write:webhooks.",
    "takes": [
      "WEBHOOK_ID"
    ],
    "hasBody": true,
    "fields": [
      {
        "name": "after",
        "in": "body",
        "kind": "text",
        "help": "The replay starts after this event",
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
    "about": "Oldest first, kept for 30 days. To receive every event, poll with after set to the id of the last event you received. You do not miss events even if transactions overlap, because an event is listed only after all earlier ones. Calls GET /api/sso/v1/events, which requires the scope read:events.",
    "takes": [],
    "hasBody": false,
    "fields": [
      {
        "name": "after",
        "in": "query",
        "kind": "text",
        "help": "ID of the last event you received. Default: start with the oldest event"
      },
      {
        "name": "cursor",
        "in": "query",
        "kind": "text",
        "help": "The meta.next_cursor of the previous page. Takes precedence over after"
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
        "help": "Subject of the event: the ID of a user, session, agent or other record"
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
