// The guide to identity assertions: its commands are run in their order, with a tenant on each side.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Enterprise, type Person, startEnterprise } from '../harness/enterprise.ts';
import { claimsOf } from '../harness/token.ts';
import { blocksOf } from './guide-page.ts';
import { GuideShell } from './guide-shell.ts';

const blocks = blocksOf('identity-assertions.md');

let world: Enterprise;
let person: Person;

before(async () => {
  world = await startEnterprise();
  person = await world.newPerson();
});
after(() => world.close());

type Values = Readonly<Record<string, string>>;

/** The only JSON that the section shows. */
function shown(section: number): Values {
  const found = blocks.filter((block) => block.section === section && block.language === 'json');
  assert.equal(found.length, 1);
  return JSON.parse(found[0]?.text ?? '') as Values;
}

test('The commands of the identity assertions guide let an assistant act for a user of another tenant, as it shows', async (t) => {
  const { enterprise, chat, chatIssuer, assistant, provider } = world;
  const guide = await GuideShell.open('identity-assertions.md');
  t.after(() => guide.close());
  await guide.start({
    KEYWRIGHT: world.keywright.url,
    TENANT: enterprise.id,
    TOKEN: await enterprise.adminToken(),
    OTHER_TENANT: chat.id,
    OTHER_ISSUER: chatIssuer,
    OTHER_TOKEN: await chat.adminToken(),
  });
  await guide.choose('ID_TOKEN=', {
    CLIENT: assistant.id,
    CLIENT_SECRET: assistant.client_secret ?? '',
    ID_TOKEN: person.idToken,
    PROVIDER: provider.id,
  });
  await guide.paste('OTHER_SECRET=');
  const [listed] = await guide.pasteForJson<{ issuer: string }[]>('identity_assertions.audiences');
  assert.equal(listed?.issuer, chatIssuer);
  const asserted = await guide.pasteForJson<Values>('ASSERTION=');
  const assertion = await guide.valueOf('ASSERTION');
  assert.deepEqual(asserted, { ...shown(3), access_token: assertion });
  const tokens = await guide.pasteForJson<Values>('assertion=$ASSERTION');
  const { access_token: token = '' } = tokens;
  assert.deepEqual(tokens, { ...shown(4), access_token: token });
  const { sub, aud, client_id: clientId } = claimsOf(token);
  assert.deepEqual(
    [sub, aud, clientId],
    [person.atChat.user.id, 'https://api.chat.example/', await guide.valueOf('OTHER_CLIENT')],
  );
});
