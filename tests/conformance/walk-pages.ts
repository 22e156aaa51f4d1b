import { startDevice, deviceClient } from '../harness/device.ts';
import { expectStatus } from '../harness/http.ts';
import { invite } from '../harness/invitations.ts';
import { mailedTo } from '../harness/mailed.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { addAddress } from '../harness/undo.ts';
import { Visitor } from '../harness/visitor.ts';
import type { Walk } from './walk.ts';

const HOST = 'id.example.com';

/** The pages of a login: the default tenant's at its host, another tenant's at its path. */
export async function walkAuthorization({ walk, keywright, token, sink }: Walk): Promise<void> {
  const other = await keywright.tenant('pages');
  await walk('console.tenant', {});
  await walkFirstLogin({ walk, keywright });
  const places = [
    { of: keywright.home, at: '', by: token, base: '' },
    { of: other, at: '_by_issuer', by: await other.adminToken(), base: `/t/${other.id}` },
  ];
  for (const { of, at, by, base } of places) {
    const body = { name: 'Pages', kind: 'spa', redirect_uris: ['https://spa.example.com/'] };
    const client = expectStatus(201, await of.request('POST', '/clients', { token: by, body }));
    const parameters = new URLSearchParams({
      client_id: String(client['id']),
      redirect_uri: 'https://spa.example.com/',
      response_type: 'code',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    }).toString();
    const params = { tenant_id: of.id };
    const host = HOST;
    const contentType = 'application/x-www-form-urlencoded';
    await walk(`oauth.authorize_form${at}`, { params, host, rawBody: parameters, contentType });
    await walk(`oauth.authorize${at}`, { params, host, query: `?${parameters}` });
    const { headers } = await of.request('GET', `${base}/oauth/authorize?${parameters}`, { host });
    const [cookie = ''] = (headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0] ?? '');
    const [, query = ''] = String(headers.location).split('?');
    const browser = { params, host, headers: { cookie, 'sec-fetch-site': 'same-origin' } };
    await walk(`oauth.continue${at}`, { ...browser, query: `?${query}` });
    await walk(`oauth.returned${at}`, { ...browser, query: `?${query}&error=access_denied` });
    const page = await of.request('GET', String(headers.location), browser);
    const [, form = ''] = /name="form_token" value="([^"]+)"/.exec(page.text) ?? [];
    const request = new URLSearchParams(query).get('request') ?? '';
    const fields = { form_token: form, request, action: 'begin_registration' };
    const rawBody = new URLSearchParams(fields).toString();
    await walk(`oauth.submit${at}`, { ...browser, rawBody, contentType });
    await walk(`account.show${at}`, browser);
    if (at !== '') await walk('console.session', browser);
    if (at !== '') await walk('console.login', browser);
    const change = { form_token: form, section: 'sessions', action: 'end_others' };
    const ofAccount = new URLSearchParams(change).toString();
    await walk(`account.submit${at}`, { ...browser, rawBody: ofAccount, contentType });
    const { identifier } = await of.createUser();
    const codeRequest = { form_token: form, request, action: 'send_code', identifier };
    const path = `${base}/oauth/continue`;
    const sent = { ...browser, rawBody: new URLSearchParams(codeRequest).toString(), contentType };
    expectStatus(303, await of.request('POST', path, sent));
    const { mail } = await mailedTo(sink, identifier);
    const [link = ''] = /\?link_token=\S+/.exec(mail.parsed.text ?? '') ?? [];
    await walk(`oauth.link${at}`, { ...browser, query: link });
    await walkInvitation({ walk, sink, keywright }, { of, at, base });
    await walkUndo({ walk, sink }, { of, at, base });
    await walkDevice(walk, { of, at, base });
    await walkLogout(walk, { of, at, base, parameters });
  }
}

/** The link printed at the first start, which exists only for the default tenant. */
async function walkFirstLogin({
  walk,
  keywright,
}: Pick<Walk, 'walk' | 'keywright'>): Promise<void> {
  const { identifier, password: secret } = keywright.admin;
  const token = keywright.nodes[0]?.firstLogin.draw({ identifier, secret }) ?? '';
  const visitor = new Visitor(keywright.home, `https://${HOST}`);
  const { hidden } = await visitor.open(`/console/first-login?token=${token}`);
  const headers = { cookie: cookieOf(visitor), 'sec-fetch-site': 'same-origin' };
  const browser = { host: HOST, headers };
  await walk('console.first_login', { ...browser, query: `?token=${token}` });
  const fields = { token, form_token: hidden['form_token'] ?? '', action: 'log_in' };
  const contentType = 'application/x-www-form-urlencoded';
  const rawBody = new URLSearchParams(fields).toString();
  await walk('console.log_in_first', { ...browser, rawBody, contentType });
}

async function walkInvitation(
  { walk, sink, keywright }: Pick<Walk, 'walk' | 'sink' | 'keywright'>,
  { of, at, base }: Record<'at' | 'base', string> & { of: TestTenant },
): Promise<void> {
  const { token } = await invite({ keywright, sink }, of);
  const visitor = new Visitor(of, `https://${HOST}${base}`);
  const { hidden } = await visitor.open(`${base}/oauth/invitation?token=${token}`);
  const headers = { cookie: cookieOf(visitor), 'sec-fetch-site': 'same-origin' };
  const browser = { params: { tenant_id: of.id }, host: HOST, headers };
  await walk(`oauth.invitation${at}`, { ...browser, query: `?token=${token}` });
  const fields = { token, form_token: hidden['form_token'] ?? '', action: 'accept' };
  const contentType = 'application/x-www-form-urlencoded';
  const rawBody = new URLSearchParams(fields).toString();
  await walk(`oauth.open_invitation${at}`, { ...browser, rawBody, contentType });
}

async function walkUndo(
  { walk, sink }: Pick<Walk, 'walk' | 'sink'>,
  { of, at, base }: Record<'at' | 'base', string> & { of: TestTenant },
): Promise<void> {
  const { user, undoToken: token } = await addAddress(sink, of, await of.createUser());
  const visitor = new Visitor(of, `https://${HOST}${base}`);
  const { hidden } = await visitor.open(`${base}/oauth/undo?token=${token}`);
  const headers = { cookie: cookieOf(visitor), 'sec-fetch-site': 'same-origin' };
  const browser = { params: { tenant_id: of.id }, host: HOST, headers };
  await walk(`oauth.undo${at}`, { ...browser, query: `?token=${token}` });
  const form_token = hidden['form_token'] ?? '';
  const fields = { token, form_token, secret: user.password, action: 'undo' };
  const contentType = 'application/x-www-form-urlencoded';
  const rawBody = new URLSearchParams(fields).toString();
  await walk(`oauth.undo_change${at}`, { ...browser, rawBody, contentType });
}

/** A device's user code, as typed by the user. */
async function walkDevice(
  walk: Walk['walk'],
  { of, at, base }: Record<'at' | 'base', string> & { of: TestTenant },
): Promise<void> {
  const { userCode } = await startDevice(of, await deviceClient(of));
  const visitor = new Visitor(of, `https://${HOST}${base}`);
  const { hidden } = await visitor.open(`${base}/oauth/device`);
  const headers = { cookie: cookieOf(visitor), 'sec-fetch-site': 'same-origin' };
  const browser = { params: { tenant_id: of.id }, host: HOST, headers };
  await walk(`oauth.device${at}`, { ...browser, query: `?user_code=${userCode}` });
  const fields = { ...hidden, user_code: userCode, action: 'device' };
  const contentType = 'application/x-www-form-urlencoded';
  const rawBody = new URLSearchParams(fields).toString();
  await walk(`oauth.enter_device${at}`, { ...browser, rawBody, contentType });
}

/** A login of a user, and its end. */
async function walkLogout(
  walk: Walk['walk'],
  { of, at, base, parameters }: Record<'at' | 'base' | 'parameters', string> & { of: TestTenant },
): Promise<void> {
  const params = { tenant_id: of.id };
  const contentType = 'application/x-www-form-urlencoded';
  const { identifier, password: secret } = await of.createUser();
  const [visitor, again] = (await Promise.all(
    Array.from({ length: 2 }, async () => {
      const browser = new Visitor(of, `https://${HOST}${base}`);
      await browser.open(`${base}/oauth/authorize?${parameters}`);
      await browser.press('login', { identifier, secret });
      return browser;
    }),
  )) as [Visitor, Visitor];
  const cookie = cookieOf(visitor);
  const browser = { params, host: HOST, headers: { cookie, 'sec-fetch-site': 'same-origin' } };
  await walk(`oauth.logout_form${at}`, { params, host: HOST, rawBody: 'state=a', contentType });
  await walk(`oauth.logout${at}`, browser);
  const { hidden } = await visitor.open(`${base}/oauth/logout`);
  const query = `?${new URLSearchParams({ request: hidden['request'] ?? '' }).toString()}`;
  await walk(`oauth.logout_page${at}`, { ...browser, query });
  const rawBody = new URLSearchParams({ ...hidden, action: 'logout' }).toString();
  await walk(`oauth.logout_confirm${at}`, { ...browser, rawBody, contentType });
  await again.open(`${base}/oauth/logout`);
  const { address } = await again.press('logout');
  const ended = { ...browser, headers: { ...browser.headers, cookie: cookieOf(again) } };
  await walk(`oauth.logged_out_page${at}`, { ...ended, query: address.replace(/^[^?]*/, '') });
}

function cookieOf({ cookies }: Visitor): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}
