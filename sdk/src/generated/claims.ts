// Made from the contract by `npm run generate`.

/** The claims of an access token (RFC 9068), custom ones among them. */
export interface AccessTokenClaims {
  /** Unique ID of the token. */
  readonly jti: string;
  /** Always `access`. */
  readonly token_type: 'access';
  /** Issuer: the tenant that issued the token. */
  readonly iss: string;
  /** `user:<id>` or `service:<id>`. */
  readonly sub: string;
  /** Audience of the token. */
  readonly aud: string;
  /** When the token was issued, in seconds since the epoch. */
  readonly iat: number;
  /** When the token expires, in seconds since the epoch. */
  readonly exp: number;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** ID of a workspace: `ws_<slug>`. */
  readonly workspace_id: string;
  /** Roles of the subject. */
  readonly roles: readonly string[];
  /** Scopes of the token. */
  readonly scopes: readonly string[];
  /** Scopes of the token, separated by spaces (RFC 9068). */
  readonly scope: string;
  /** ID of a session: `session:<id>`. */
  readonly sid?: string;
  /** The client that requested the token (RFC 9068 §2.2): an application, an agent, or `keywright` for direct logins. */
  readonly client_id: string;
  /** ID of an API key: `key_<id>`. */
  readonly key_id?: string;
  /** When the user authenticated, in seconds since the epoch (RFC 9068 §2.2.1). A refresh does not change it. */
  readonly auth_time?: number;
  /** Authentication assurance (OpenID Connect Core §2): `aal1` for one factor, `aal2` for two factors of different types, `phr` for phishing-resistant authentication. */
  readonly acr?: 'aal1' | 'aal2' | 'phr';
  /** Authentication methods that the user used (RFC 8176). `pwd` is a password. */
  readonly amr?: readonly string[];
  /** Version of the subject’s permissions. Increases when they change. */
  readonly ver: number;
  /** The party that acts for the subject (RFC 8693 §4.1). */
  readonly act?: {
    /** `user:<id>`, `service:<id>` or `client_<id>`. */
    readonly sub: string;
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id?: string;
    /** ID of a delegation: `dlg_<id>`. */
    readonly delegation_id?: string;
    /** ID of an API key: `key_<id>`. */
    readonly key_id?: string;
    /** The `ver` of the actor. */
    readonly ver?: number;
    /** The previous actor in the delegation chain. */
    readonly act?: {
      /** `user:<id>`, `service:<id>` or `client_<id>`. */
      readonly sub: string;
      /** ID of a tenant: `org_<slug>`. */
      readonly tenant_id?: string;
      /** ID of a delegation: `dlg_<id>`. */
      readonly delegation_id?: string;
      /** ID of an API key: `key_<id>`. */
      readonly key_id?: string;
      /** The `ver` of the actor. */
      readonly ver?: number;
      /** The previous actor in the delegation chain. */
      readonly act?: {
        /** `user:<id>`, `service:<id>` or `client_<id>`. */
        readonly sub: string;
        /** ID of a tenant: `org_<slug>`. */
        readonly tenant_id?: string;
        /** ID of a delegation: `dlg_<id>`. */
        readonly delegation_id?: string;
        /** ID of an API key: `key_<id>`. */
        readonly key_id?: string;
        /** The `ver` of the actor. */
        readonly ver?: number;
      };
    };
  };
  /** The key that the token is bound to. Requests with the token need a DPoP proof signed with this key. */
  readonly cnf?: {
    /** SHA-256 thumbprint of the public key (RFC 7638). */
    readonly jkt: string;
  };
  /** Granted authorization details (RFC 9396). */
  readonly authorization_details?: readonly {
    /** The type. */
    readonly type: string;
    readonly [name: string]: unknown;
  }[];
  /** Location of the token’s revocation status. */
  readonly status?: {
    /** The token’s entry in a status list. */
    readonly status_list: {
      /** Index of the token’s bit in the list. */
      readonly idx: number;
      /** URI of the status list. */
      readonly uri: string;
    };
  };
  readonly [name: string]: unknown;
}
