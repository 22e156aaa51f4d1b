// Made from the contract by `npm run generate`.

/** The claims of an access token (RFC 9068), custom ones among them. */
export interface AccessTokenClaims {
  /** The id of the token. */
  readonly jti: string;
  /** Always `access`. */
  readonly token_type: 'access';
  /** The issuer: the tenant. */
  readonly iss: string;
  /** user:<id> or service:<id> */
  readonly sub: string;
  /** Whom the token is for. */
  readonly aud: string;
  /** When it was issued, in seconds since the epoch. */
  readonly iat: number;
  /** When it expires, in seconds since the epoch. */
  readonly exp: number;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** The id of a workspace: `ws_<slug>`. */
  readonly workspace_id: string;
  /** The names of the roles of the subject. */
  readonly roles: readonly string[];
  /** What the token allows. */
  readonly scopes: readonly string[];
  /** The scopes, joined by spaces (RFC 9068). */
  readonly scope: string;
  /** The id of a session: `session:<id>`. */
  readonly sid?: string;
  /** The client that asked for the token (RFC 9068 §2.2): an agent, or `keywright` where users log in directly. */
  readonly client_id: string;
  /** The id of an API key: `key_<id>`. */
  readonly key_id?: string;
  /** When the user authenticated, in seconds since the epoch (RFC 9068 §2.2.1): a refresh keeps it. */
  readonly auth_time?: number;
  /** How the user authenticated (OpenID Connect Core §2): `aal1` with one factor, `aal2` with two of different kinds, `phr` with a phishing-resistant one. */
  readonly acr?: 'aal1' | 'aal2' | 'phr';
  /** By which methods the user authenticated (RFC 8176): `pwd` is a password. */
  readonly amr?: readonly string[];
  /** Goes up when the permissions of the subject change. */
  readonly ver: number;
  /** Who acts for the subject (RFC 8693 §4.1). */
  readonly act?: {
    /** `user:<id>` or `service:<id>`. */
    readonly sub: string;
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id?: string;
    /** The id of a delegation: `dlg_<id>`. */
    readonly delegation_id?: string;
    /** The id of an API key: `key_<id>`. */
    readonly key_id?: string;
    /** The `ver` of the actor. */
    readonly ver?: number;
    /** Who acted before, for the actor around. */
    readonly act?: {
      /** `user:<id>` or `service:<id>`. */
      readonly sub: string;
      /** The id of a tenant: `org_<slug>`. */
      readonly tenant_id?: string;
      /** The id of a delegation: `dlg_<id>`. */
      readonly delegation_id?: string;
      /** The id of an API key: `key_<id>`. */
      readonly key_id?: string;
      /** The `ver` of the actor. */
      readonly ver?: number;
      /** Who acted before, for the actor around. */
      readonly act?: {
        /** `user:<id>` or `service:<id>`. */
        readonly sub: string;
        /** The id of a tenant: `org_<slug>`. */
        readonly tenant_id?: string;
        /** The id of a delegation: `dlg_<id>`. */
        readonly delegation_id?: string;
        /** The id of an API key: `key_<id>`. */
        readonly key_id?: string;
        /** The `ver` of the actor. */
        readonly ver?: number;
      };
    };
  };
  /** Where it stands whether the token was revoked. */
  readonly status?: {
    /** The bit that says it. */
    readonly status_list: {
      /** The number of the bit. */
      readonly idx: number;
      /** The address of the list. */
      readonly uri: string;
    };
  };
  readonly [name: string]: unknown;
}
