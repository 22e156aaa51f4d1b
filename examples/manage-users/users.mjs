// Synchronizes the users of a tenant with a list: `node users.mjs list.txt`, with one email address in each line.
// A user who is only in the list is created, with a password that is printed once; a user who is only in the
// tenant is made inactive. No user is deleted.

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ApiError, createClient } from '@keywright/sdk';

const { BASE_URL = 'http://localhost:8080', TENANT = 'org_default' } = process.env;
const { IDENTIFIER = '', SECRET = '' } = process.env;

const missing = ['IDENTIFIER', 'SECRET'].filter((name) => !process.env[name]);
if (missing.length > 0) {
  console.error(
    `Set ${missing.join(' and ')} first: they are the email address and the password of an administrator.`,
  );
  process.exit(1);
}

/** Creates a client with the tokens of a login. The client refreshes them automatically. */
async function logIn() {
  const client = createClient({ baseUrl: BASE_URL, tenant: TENANT });
  const token = await client.auth.login({ identifier: IDENTIFIER, secret: SECRET });
  return createClient({ baseUrl: BASE_URL, tenant: TENANT, token });
}

/** @param {string} file */
function readList(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  return new Set(lines.map((line) => line.trim().toLowerCase()).filter((line) => line !== ''));
}

/** @param {string} file */
async function synchronize(file) {
  const listed = readList(file);
  const client = await logIn();
  for await (const { id, identifiers, is_active: isActive } of client.users.list()) {
    const addresses = identifiers.map(({ identifier }) => identifier);
    const isListed = addresses.some((address) => listed.has(address));
    const shouldBeActive = isListed || addresses.includes(IDENTIFIER);
    for (const address of addresses) listed.delete(address);
    if (shouldBeActive === isActive) continue;
    await client.users.update(id, { is_active: shouldBeActive });
    console.log(`${shouldBeActive ? 'active  ' : 'inactive'}  ${addresses.join(', ')}`);
  }
  for (const identifier of listed) {
    const password = randomBytes(15).toString('base64url');
    await client.users.create({ identifier, password });
    console.log(`created   ${identifier}  ${password}`);
  }
}

try {
  await synchronize(process.argv[2] ?? 'users.txt');
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(`${error.code}: ${error.message} (request ${error.requestId})`);
  process.exitCode = 1;
}
