// Made from the contract by `npm run generate`.

/** The claims of an access token (RFC 9068), custom ones among them. */
export interface AccessTokenClaims {
  readonly jti: string;
  readonly token_type: 'access';
  readonly iss: string;
  /** user:<id> or service:<id> */
  readonly sub: string;
  readonly aud: string;
  /** Seconds since the epoch. */
  readonly iat: number;
  /** Seconds since the epoch. */
  readonly exp: number;
  /** org_<slug> */
  readonly tenant_id: string;
  /** ws_<slug> */
  readonly workspace_id: string;
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
  /** The scopes, joined by spaces (RFC 9068). */
  readonly scope: string;
  /** session:<id> */
  readonly sid?: string;
  /** The client that asked for the token (RFC 9068 §2.2): an agent, or `keywright` where users log in directly. */
  readonly client_id: string;
  /** key_<id> */
  readonly key_id?: string;
  /** Goes up when the permissions of the subject change. */
  readonly ver: number;
  readonly act?: {
    readonly sub: string;
    /** org_<slug> */
    readonly tenant_id?: string;
    /** dlg_<id> */
    readonly delegation_id?: string;
    /** key_<id> */
    readonly key_id?: string;
    readonly ver?: number;
    readonly act?: {
      readonly sub: string;
      /** org_<slug> */
      readonly tenant_id?: string;
      /** dlg_<id> */
      readonly delegation_id?: string;
      /** key_<id> */
      readonly key_id?: string;
      readonly ver?: number;
      readonly act?: {
        readonly sub: string;
        /** org_<slug> */
        readonly tenant_id?: string;
        /** dlg_<id> */
        readonly delegation_id?: string;
        /** key_<id> */
        readonly key_id?: string;
        readonly ver?: number;
      };
    };
  };
  readonly status?: {
    readonly status_list: {
      /** The number of the bit. */
      readonly idx: number;
      /** The address of the list. */
      readonly uri: string;
    };
  };
  readonly [name: string]: unknown;
}
