// The sections of the account page, in all their states.

import { ACCOUNT_SECTIONS } from '@keywright/contract/routes/account';
import { delegate } from '../harness/delegation.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { expectStatus } from '../harness/http.ts';
import { inviteWithout } from '../harness/invitations.ts';
import { until } from '../harness/until.ts';
import { enrollTotp, totpOf } from '../harness/totp.ts';
import type { Seen, Visitor } from '../harness/visitor.ts';
import type { World } from './world.ts';

/** The parts of the enclosing walk that a walk through the account needs. */
interface Walking {
  readonly world: World;
  readonly tenant: TestTenant;
  readonly newBrowser: () => Visitor;
  readonly createUser: (roles?: readonly string[]) => Promise<TestUser>;
  /** Obtains the consent of the logged-in user. */
  readonly allow: (browser: Visitor) => Promise<Visitor>;
  readonly keep: (name: string, browser: Visitor, step?: Promise<Seen>) => Promise<void>;
}

export async function walkAccount(walking: Walking): Promise<void> {
  await walkEmpty(walking);
  await walkFactor(walking);
  await walkFull(walking);
  await walkDeletion(walking);
}

async function enter({ tenant, newBrowser }: Walking, user: TestUser): Promise<Visitor> {
  const browser = newBrowser();
  await browser.open(`/t/${tenant.id}/account`);
  await browser.press('login', { identifier: user.identifier, secret: user.password });
  return browser;
}

/** A new user, and then the same user an hour later. */
async function walkEmpty(walking: Walking): Promise<void> {
  const { tenant, world, keep, createUser } = walking;
  const user = await createUser();
  const browser = await enter(walking, user);
  const open = (section: string) => browser.open(`/t/${tenant.id}/account?section=${section}`);
  for (const section of ACCOUNT_SECTIONS) await keep(`account ${section}`, browser, open(section));
  await open('addresses');
  const refused = browser.press('send', { section: 'addresses', identifier: world.texts.typed });
  await keep('account addresses failed', browser, refused);
  const identifier = `new.${user.identifier}`;
  const sent = browser.press('send', { section: 'addresses', identifier });
  await keep('account addresses code', browser, sent);
  await world.keywright.database.query(
    `INSERT INTO user_identifiers (tenant_id, user_id, type, identifier, verified, position)
     VALUES ($1, $2, 'email', $3, true, 1)`,
    [tenant.id, user.user.id, identifier],
  );
  await keep('account addresses several', browser, open('addresses'));
  const first = { section: 'addresses', id: identifier };
  await keep('account addresses primary', browser, browser.press('make_primary', first));
  await open('security');
  const secret = { current: 'a guess', secret: user.password };
  await keep('account security failed', browser, browser.press('change_password', secret));
  const declined = `/t/${tenant.id}/account?section=security&error=access_denied`;
  await keep('account security declined', browser, browser.open(declined));
  await keep('account security passkey', browser, browser.press('add_passkey'));
  await world.keywright.database.query(
    `UPDATE sessions SET auth_time = auth_time - interval '1 hour' WHERE tenant_id = $1`,
    [tenant.id],
  );
  for (const section of ['addresses', 'security', 'data']) {
    await keep(`account ${section} not confirmed`, browser, open(section));
  }
}

/** Links an identity at the provider of the tenant. */
async function linkIdentity(
  { world: { provider } }: Walking,
  browser: Visitor,
  { identifier: email, user: { id: sub } }: TestUser,
): Promise<Seen> {
  const [, id = ''] = /name="id" value="(idp_[^"]+)"/.exec(browser.seen.text) ?? [];
  const { redirectsTo } = await browser.press('link_identity', {
    section: 'security',
    id,
  });
  const back = provider.authorize(String(redirectsTo), { sub, email, email_verified: true });
  return browser.open(back.pathname + back.search);
}

/** An authenticator app is added: the next change needs a login with it. */
async function walkFactor(walking: Walking): Promise<void> {
  const { tenant, keep, createUser } = walking;
  const browser = await enter(walking, await createUser());
  const section = 'security';
  const open = () => browser.open(`/t/${tenant.id}/account?section=${section}`);
  await open();
  await keep('account security totp', browser, browser.press('add_totp'));
  const { hidden, text } = browser.seen;
  const id = hidden['id'] ?? '';
  const key = /id="totp-key">([A-Z2-7 ]+)</.exec(text)?.[1]?.replaceAll(' ', '') ?? '';
  const confirm = (code: string) => browser.press('confirm_totp', { section, id, code });
  await keep('account security totp failed', browser, confirm('000000'));
  await keep('account security codes', browser, confirm(totpOf(key, new Date())));
  await open();
  await keep('account security step-up', browser, browser.press('remove_factor', { section, id }));
}

/** Walks through the states of a data copy in order. Each is written to the table as the job does. */
async function walkCopy(
  { tenant, world, keep }: Walking,
  browser: Visitor,
  { user: { id } }: TestUser,
): Promise<void> {
  const open = () => browser.open(`/t/${tenant.id}/account?section=data`);
  const setStatus = (status: string) =>
    world.keywright.database.query(
      'UPDATE account_exports SET status = $2, takes = takes + 1 WHERE id = $1',
      [id, status],
    );
  await open();
  await keep('account data copy asked', browser, browser.press('request_copy'));
  await until('the copy', async () => (await open()).actions.includes('show_copy') || undefined);
  await keep('account data copy ready', browser);
  await keep('account data copy', browser, browser.press('show_copy'));
  await setStatus('failed');
  await keep('account data copy failed', browser, open());
}

/** Creates a workspace with the user in it, and verifies the user's address. */
async function makeWorkspace({ tenant, world }: Walking, { user, identifier }: TestUser) {
  const token = await tenant.adminToken();
  const slug = 'paper';
  const body = { name: world.texts.client, slug };
  expectStatus(201, await tenant.request('POST', '/workspaces', { token, body }));
  const change = {
    workspaces: [`ws_${slug}`],
    identifiers: [{ identifier, verified: true }],
  };
  const path = `/users/${user.id}`;
  expectStatus(200, await tenant.request('PATCH', path, { token, body: change }));
  return { name: `ws_${slug}` };
}

/** A user who has something of everything. */
async function walkFull(walking: Walking): Promise<void> {
  const { tenant, world, keep, createUser, allow } = walking;
  const user = await createUser(['admin']);
  const { factor, secret } = await enrollTotp(tenant, user.token, { now: () => new Date() });
  const agent = await tenant.createAgent({ name: world.texts.client, scopes: ['read:users'] });
  await delegate(tenant, user, agent, ['read:users']);
  const { name } = await makeWorkspace(walking, user);
  const { identifier } = user;
  await inviteWithout(world.keywright.database, tenant, { identifier, workspaces: [name] });
  const browser = await enter(walking, user);
  // The code of the current time step is used.
  await browser.press('totp', { code: totpOf(secret, new Date(Date.now() + 30_000)) });
  await (await allow(browser)).press('allow');
  const open = (section: string) => browser.open(`/t/${tenant.id}/account?section=${section}`);
  await open('profile');
  const profile = { section: 'profile', name: world.texts.factor, locale: world.locale ?? 'en' };
  await keep('account profile saved', browser, browser.press('save_profile', profile));
  await open('security');
  await keep('account security linked', browser, linkIdentity(walking, browser, user));
  await walkCopy(walking, browser, user);
  const named = { section: 'security', id: factor.id, name: world.texts.factor };
  await open('security');
  await keep('account security renamed', browser, browser.press('rename_factor', named));
  for (const section of ACCOUNT_SECTIONS) {
    await keep(`account ${section} full`, browser, open(section));
  }
  for (const [state, scope] of [
    ['asking', 'read:users'],
    ['asking for nothing', 'delete:keys'],
  ] as const) {
    const query = new URLSearchParams({ section: 'agents', agent: agent.agent.id, scope });
    const path = `/t/${tenant.id}/account?${query.toString()}`;
    await keep(`account agents ${state}`, browser, browser.open(path));
  }
  await open('data');
  const typed = { section: 'data', identifier: world.texts.typed };
  await keep('account data failed', browser, browser.press('delete_account', typed));
}

/** Deletes an account, of a user whose other pages are no longer needed. */
async function walkDeletion(walking: Walking): Promise<void> {
  const { tenant, keep, createUser } = walking;
  const user = await createUser();
  const { identifier } = user;
  const browser = await enter(walking, user);
  await browser.open(`/t/${tenant.id}/account?section=data`);
  const deleted = browser.press('delete_account', { section: 'data', identifier });
  await keep('account data deleted', browser, deleted);
}
