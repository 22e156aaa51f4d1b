import { showFirstLogin } from '@keywright/contract/routes/first-login';
import type { Database } from '../../../platform/db/database.ts';
import type { Administrator, FirstStart } from './service.ts';

interface Welcomed {
  readonly baseUrl: string;
  readonly engine: Database['engine'];
  /** Draws the token of a link that logs in once. */
  readonly firstLogin: { draw(administrator: Administrator): string };
  /** Whether mails are shown, and not sent. */
  readonly areShown: boolean;
}

/**
 * What the first start prints: the address, the administrator's secret and a link that logs in once, if that was
 * generated, and three commands that can be pasted into a POSIX shell with curl and Node.
 */
export function welcome(
  { administrator }: FirstStart,
  { baseUrl, engine, firstLogin, areShown }: Welcomed,
): string {
  if (!administrator) {
    return [
      `Keywright is ready at ${baseUrl}`,
      '',
      'There is no system administrator yet. Create one, with the environment of this service:',
      ...(engine === 'embedded'
        ? ['(An embedded database belongs to one process: stop the service meanwhile.)']
        : []),
      '',
      '  npx keywright admin create --identifier you@example.com',
    ].join('\n');
  }
  const { identifier, secret, isSecretNew } = administrator;
  // A secret that was chosen is not printed, so that nothing in its place is.
  const link =
    isSecretNew &&
    `${baseUrl}${showFirstLogin.path}?token=${firstLogin.draw({ identifier, secret })}`;
  return [
    `Keywright is ready at ${baseUrl}`,
    '',
    `  Console                ${baseUrl}/console`,
    ...(link ? [`  One-time link          ${link}   (logs you in, within an hour)`] : []),
    `  System administrator   ${identifier}`,
    ...(isSecretNew ? [`  Secret                 ${secret}   (shown only once: save it)`] : []),
    '',
    'Paste these three commands, one after the other, into another terminal.',
    '',
    '1. Log in',
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
    `Every route: ${baseUrl}/reference`,
    ...(areShown ? [`Mails, until there is a mail server: ${baseUrl}/dev/messages`] : []),
  ].join('\n');
}

function logIn(baseUrl: string, identifier: string, secret: string | undefined): string {
  // Base62 needs no escaping; a chosen secret may contain anything special to a shell or JSON.
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

/** Quoted as one word for a POSIX shell. */
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

/** Only Web Crypto of Node, so that the check is independent of the library that signed. */
function verifyToken(baseUrl: string): string {
  return [
    `node -e 'const [h,p,s]=process.argv[1].split("."),d=x=>Buffer.from(x,"base64url"),j=x=>JSON.parse(d(x));` +
      `fetch("${baseUrl}/.well-known/jwks.json").then(r=>r.json()).then(async({keys})=>{` +
      `const k=keys.find(k=>k.kid===j(h).kid),c=await crypto.subtle.importKey("jwk",{kty:k.kty,crv:k.crv,x:k.x},"Ed25519",false,["verify"]);` +
      `console.log("signature valid:",await crypto.subtle.verify("Ed25519",c,d(s),Buffer.from(h+"."+p)));console.log(j(p))})' "$TOKEN"`,
  ].join('\n');
}
