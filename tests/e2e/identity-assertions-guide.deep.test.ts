// The guide to identity assertions: its commands are run in their order, with a tenant on each side.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Enterprise, type Person, startEnterprise } from '../harness/enterprise.ts';
import { claimsOf } from '../harness/token.ts';
import { blocksOf } from './guide-page.ts';
import { paste } from './shell.ts';

const blocks = blocksOf('identity-assertions.md');

let world: Enterprise;
let person: Person;

before(async () => {
  world = await startEnterprise();
  person = await world.newPerson();
});
after(() => world.close());

type Values = Readonly<Record<string, string>>;

function textOf(section: number, language: string): string {
  const found = blocks.filter((one) => one.section === section && one.language === language);
  assert.equal(found.length, 1, `one block of section ${section} is ${language}`);
  return found[0]?.text ?? '';
}

/** Runs the commands of a section. @returns the JSON that they print */
async function follow(section: number, env: Values): Promise<Values> {
  const { host } = new URL(world.keywright.url);
  const commands = textOf(section, 'sh').replaceAll('localhost:8080', host);
  const { code, stdout, stderr } = await paste(`set -e\n${commands}`, env);
  assert.equal(code, 0, `${commands}\n${stdout}${stderr}`);
  return JSON.parse(stdout) as Values;
}

test('the commands of the page let an assistant act for a user of another tenant, as it shows', async () => {
  const { enterprise, chat, chatIssuer, assistant, provider } = world;
  const there = await follow(2, {
    OTHER_TENANT: chat.id,
    OTHER_TOKEN: await chat.adminToken(),
    PROVIDER: provider.id,
  });
  const env = {
    TENANT: enterprise.id,
    OTHER_TENANT: chat.id,
    TOKEN: await enterprise.adminToken(),
    CLIENT: assistant.id,
    CLIENT_SECRET: assistant.client_secret ?? '',
    OTHER_ISSUER: chatIssuer,
    OTHER_CLIENT: there['id'] ?? '',
    OTHER_SECRET: there['client_secret'] ?? '',
    ID_TOKEN: person.idToken,
  };
  const [listed] = (await follow(1, env)) as unknown as readonly { readonly issuer: string }[];
  assert.equal(listed?.issuer, chatIssuer);
  const asserted = await follow(3, env);
  const shown = JSON.parse(textOf(3, 'json')) as Values;
  const { access_token: ASSERTION = '' } = asserted;
  assert.deepEqual(asserted, { ...shown, access_token: ASSERTION });
  const given = await follow(4, { ...env, ASSERTION });
  const { access_token: token = '' } = given;
  assert.deepEqual(given, { ...(JSON.parse(textOf(4, 'json')) as Values), access_token: token });
  const { sub, aud, client_id: clientId } = claimsOf(token);
  assert.deepEqual(
    [sub, aud, clientId],
    [person.atChat.user.id, 'https://api.chat.example/', env.OTHER_CLIENT],
  );
});
