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
  /** Audience of the token. */
  readonly aud: string;
  /** When it was issued, in seconds since the epoch. */
  readonly iat: number;
  /** When it expires, in seconds since the epoch. */
  readonly exp: number;
  /** Id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Id of a workspace: `ws_<slug>`. */
  readonly workspace_id: string;
  /** Names of the roles of the subject. */
  readonly roles: readonly string[];
  /** Scopes of the token. */
  readonly scopes: readonly string[];
  /** The scopes, joined by spaces (RFC 9068). */
  readonly scope: string;
  /** Id of a session: `session:<id>`. */
  readonly sid?: string;
  /** The client that requested the token (RFC 9068 §2.2): an application, an agent, or `keywright` where users log in directly. */
  readonly client_id: string;
  /** Id of an API key: `key_<id>`. */
  readonly key_id?: string;
  /** When the user authenticated, in seconds since the epoch (RFC 9068 §2.2.1); unchanged by a refresh. */
  readonly auth_time?: number;
  /** Assurance of the authentication (OpenID Connect Core §2): `aal1` with one factor, `aal2` with two of different kinds, `phr` with a phishing-resistant one. */
  readonly acr?: 'aal1' | 'aal2' | 'phr';
  /** Authentication methods of the user (RFC 8176): `pwd` is a password. */
  readonly amr?: readonly string[];
  /** Increases when the permissions of the subject change. */
  readonly ver: number;
  /** Who acts for the subject (RFC 8693 §4.1). */
  readonly act?: {
    /** `user:<id>`, `service:<id>` or `client_<id>`. */
    readonly sub: string;
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id?: string;
    /** Id of a delegation: `dlg_<id>`. */
    readonly delegation_id?: string;
    /** Id of an API key: `key_<id>`. */
    readonly key_id?: string;
    /** The `ver` of the actor. */
    readonly ver?: number;
    /** The previous actor. */
    readonly act?: {
      /** `user:<id>`, `service:<id>` or `client_<id>`. */
      readonly sub: string;
      /** Id of a tenant: `org_<slug>`. */
      readonly tenant_id?: string;
      /** Id of a delegation: `dlg_<id>`. */
      readonly delegation_id?: string;
      /** Id of an API key: `key_<id>`. */
      readonly key_id?: string;
      /** The `ver` of the actor. */
      readonly ver?: number;
      /** The previous actor. */
      readonly act?: {
        /** `user:<id>`, `service:<id>` or `client_<id>`. */
        readonly sub: string;
        /** Id of a tenant: `org_<slug>`. */
        readonly tenant_id?: string;
        /** Id of a delegation: `dlg_<id>`. */
        readonly delegation_id?: string;
        /** Id of an API key: `key_<id>`. */
        readonly key_id?: string;
        /** The `ver` of the actor. */
        readonly ver?: number;
      };
    };
  };
  /** The key that the token is bound to: it needs a DPoP proof by that key. */
  readonly cnf?: {
    /** SHA-256 thumbprint of the public key (RFC 7638). */
    readonly jkt: string;
  };
  /** Allowed authorization details (RFC 9396). */
  readonly authorization_details?: readonly {
    /** The type. */
    readonly type: string;
    readonly [name: string]: unknown;
  }[];
  /** Where the revocation status of the token is published. */
  readonly status?: {
    /** Entry of the token in a status list. */
    readonly status_list: {
      /** Index of the bit. */
      readonly idx: number;
      /** URI of the list. */
      readonly uri: string;
    };
  };
  readonly [name: string]: unknown;
}
