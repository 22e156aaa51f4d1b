import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import type { Seals } from '../codes/index.ts';

/** A login inside an application, as the application carries it from one step to the next. */
export interface InAppLogin {
  /** The authorization request that it is for, as a form. */
  readonly form: string;
  readonly flow: { readonly id: string; readonly token: string };
}

/** Who may go on with a login. */
interface Holder {
  readonly tenantId: TenantId;
  readonly clientId: OAuthClientId;
  /** Of the key that each of its requests proves; undefined: none does. */
  readonly jkt: string | undefined;
}

/**
 * Values of `auth_session`. They are stored nowhere: each is its content, sealed to its holder, for whom alone it opens.
 * What has been proven, and whether the login goes on, the flow says.
 */
export interface AuthSessions {
  seal(login: InAppLogin, holder: Holder): Promise<string>;
  /** Undefined unless it was sealed for this holder. */
  open(text: string, holder: Holder): Promise<InAppLogin | undefined>;
}

export function createAuthSessions(seals: Seals): AuthSessions {
  const place = ({ tenantId, clientId, jkt = '' }: Holder) =>
    ({ tenantId, purpose: 'auth session', boundTo: `${clientId} ${jkt}` }) as const;
  return {
    seal: (login, holder) => seals.seal(login, place(holder)),
    open: async (text, holder) => (await seals.open(text, place(holder))) as InAppLogin | undefined,
  };
}
