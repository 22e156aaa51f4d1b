import { showFirstLogin } from '@keywright/contract/routes/first-login';
import type { Administrator, FirstStart } from './first-start.ts';

interface Welcomed {
  readonly baseUrl: string;
  /** Creates the token of a link that signs the administrator in once. */
  readonly firstLogin: { draw(administrator: Administrator): string };
  /** Whether emails are shown on a page instead of being sent. */
  readonly areShown: boolean;
}

/**
 * Returns the output of a first start: three commands that can be pasted into a POSIX shell with curl and Node.js,
 * followed by the addresses and, if they were generated, the administrator's password and a link that signs them in
 * once.
 */
export function welcome(
  { administrator }: FirstStart,
  { baseUrl, firstLogin, areShown }: Welcomed,
): string {
  if (!administrator) {
    return [
      `Keywright is ready at ${baseUrl}`,
      '',
      'There is no system administrator yet. Create one, with the environment of this service:',
      '',
      '  npx keywright admin create --identifier you@example.com',
      '',
      'In a container, leave out "npx".',
    ].join('\n');
  }
  const { identifier, secret, isSecretNew } = administrator;
  const rows: readonly (readonly [string, string])[] = [
    ...(areShown ? [['Development mailbox', `${baseUrl}/dev/messages`] as const] : []),
    ['API reference', `${baseUrl}/reference`],
    ['Console', `${baseUrl}/console`],
    ['System administrator', identifier],
    // A configured password is not printed, and neither is a link that replaces it.
    ...(isSecretNew ? generatedRows(baseUrl, { identifier, secret }, firstLogin) : []),
  ];
  return [
    'Paste these three commands, one after the other, into another terminal.',
    '',
    '1. Sign in',
    '',
    logIn(baseUrl, identifier, isSecretNew ? secret : undefined),
    '',
    '2. Create a user',
    '',
    createUser(baseUrl),
    '',
    '3. Verify the token offline, against the published keys',
    '',
    verifyToken(baseUrl),
    '',
    `Keywright is ready at ${baseUrl}`,
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(23)}${value}`),
  ].join('\n');
}

function generatedRows(
  baseUrl: string,
  administrator: Administrator,
  firstLogin: Welcomed['firstLogin'],
): (readonly [string, string])[] {
  const token = firstLogin.draw(administrator);
  return [
    [
      'Password',
      `${administrator.secret}   (save it: it is not shown again after the first sign-in)`,
    ],
    [
      'One-time link',
      `${baseUrl}${showFirstLogin.path}?token=${token}   (signs you in once, within an hour)`,
    ],
  ];
}

function logIn(baseUrl: string, identifier: string, secret: string | undefined): string {
  // Base62 needs no escaping; a configured secret can contain characters that are special to a shell or JSON.
  const body =
    secret === undefined
      ? `"$(node -p 'JSON.stringify({identifier:process.argv[1],secret:process.env.KEYWRIGHT_ADMIN_SECRET})' ${quoted(identifier)})"`
      : `'{"identifier":"${identifier}","secret":"${secret}"}'`;
  return [
    `TOKEN=$(curl -s ${baseUrl}/api/sso/v1/auth/login -H 'content-type: application/json' \\`,
    `  -d ${body} \\`,
    `  | node -pe 'JSON.parse(require("fs").readFileSync(0)).access_token'); echo "$TOKEN"`,
  ].join('\n');
}

/** Quotes a value as one word for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function createUser(baseUrl: string): string {
  return [
    `curl -s ${baseUrl}/api/sso/v1/users -H "authorization: Bearer $TOKEN" \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '{"identifier":"ada@example.com","password":"engines of analysis"}'; echo`,
  ].join('\n');
}

/** Uses only Node's Web Crypto, so that the check is independent of the signing library. */
function verifyToken(baseUrl: string): string {
  return [
    `node -e 'const [h,p,s]=process.argv[1].split("."),d=x=>Buffer.from(x,"base64url"),j=x=>JSON.parse(d(x));` +
      `fetch("${baseUrl}/.well-known/jwks.json").then(r=>r.json()).then(async({keys})=>{` +
      `const k=keys.find(k=>k.kid===j(h).kid),c=await crypto.subtle.importKey("jwk",{kty:k.kty,crv:k.crv,x:k.x},"Ed25519",false,["verify"]);` +
      `console.log("signature valid:",await crypto.subtle.verify("Ed25519",c,d(s),Buffer.from(h+"."+p)));console.log(j(p))})' "$TOKEN"`,
  ].join('\n');
}
