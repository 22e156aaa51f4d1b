// Auth.js with Keywright as its provider. AUTH_KEYWRIGHT_ISSUER, AUTH_KEYWRIGHT_ID and AUTH_KEYWRIGHT_SECRET come
// from the environment, as do AUTH_SECRET and AUTH_URL.

import NextAuth from 'next-auth';
import { getToken } from 'next-auth/jwt';
import { headers } from 'next/headers';

/** An access token that expires sooner than this is refreshed before it is used. */
const SPARE_MS = 60_000;

const { AUTH_KEYWRIGHT_ISSUER, AUTH_KEYWRIGHT_ID, AUTH_KEYWRIGHT_SECRET } = process.env;
const { AUTH_SECRET, AUTH_URL } = process.env;

async function discover() {
  const response = await fetch(`${AUTH_KEYWRIGHT_ISSUER}/.well-known/openid-configuration`);
  return response.json();
}

async function refresh(refreshToken) {
  const { token_endpoint: endpoint } = await discover();
  const response = await fetch(endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: AUTH_KEYWRIGHT_ID,
      client_secret: AUTH_KEYWRIGHT_SECRET,
    }),
  });
  const tokens = await response.json();
  // The login has ended: on another page, by an administrator, or by expiry.
  if (tokens.error === 'invalid_grant') return undefined;
  if (!response.ok) throw new Error(`Keywright rejected the refresh: ${tokens.error}`);
  return tokens;
}

const storedTokens = ({ id_token, access_token, refresh_token, expires_in }) => ({
  idToken: id_token,
  accessToken: access_token,
  refreshToken: refresh_token,
  expiresAt: Date.now() + expires_in * 1000,
});

export const { handlers, signIn, signOut, auth } = NextAuth({
  providers: [
    {
      id: 'keywright',
      name: 'Keywright',
      type: 'oidc',
      checks: ['pkce', 'state', 'nonce'],
      authorization: { params: { scope: 'openid profile email offline_access' } },
    },
  ],
  callbacks: {
    /** Returns the content of the encrypted cookie. Null ends the session of the site. */
    async jwt({ token, account }) {
      if (account) return { ...token, sub: account.providerAccountId, ...storedTokens(account) };
      if (token.expiresAt - SPARE_MS > Date.now() || !token.refreshToken) return token;
      const tokens = await refresh(token.refreshToken);
      return tokens ? { ...token, ...storedTokens(tokens) } : null;
    },
    /** The session that pages and scripts in the browser see: no tokens. */
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub } }),
  },
});

/** Returns the URL to sign out of Keywright. Without this logout, the next login would be one click. */
export async function logoutUrl() {
  const { end_session_endpoint: endpoint } = await discover();
  const token = await getToken({
    req: { headers: await headers() },
    secret: AUTH_SECRET,
    secureCookie: AUTH_URL.startsWith('https:'),
  });
  const parameters = new URLSearchParams({
    id_token_hint: token?.idToken ?? '',
    post_logout_redirect_uri: `${AUTH_URL}/`,
  });
  return `${endpoint}?${parameters}`;
}
