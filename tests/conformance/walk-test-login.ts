import { Visitor } from '../harness/visitor.ts';
import type { Walk } from './walk.ts';

/** The pages of a test login, in the browser of the administrator. */
export async function walkTestLogin(
  { walk, keywright, token }: Omit<Walk, 'sink'>,
  client: { readonly client_id: string },
): Promise<void> {
  const { home, admin, nodes } = keywright;
  const browser = new Visitor(home, nodes[0]?.baseUrl ?? '');
  await browser.open(`/t/${home.id}/console/login`);
  await browser.press('login', { identifier: admin.identifier, secret: admin.password });
  const start = async () => {
    const test = { token, params: client, body: {} };
    return new URL((await walk<{ url: string }>('clients.test_login', test)).url);
  };
  const opened = await start();
  await browser.open(opened.pathname + opened.search);
  const { redirectsTo } = await browser.press('allow');
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  const place = { params: { tenant_id: home.id }, headers: { cookie } };
  await walk('oauth.test_login_result', { ...place, query: redirectsTo?.search ?? '' });
  await walk('oauth.test_login', { ...place, query: (await start()).search });
}
