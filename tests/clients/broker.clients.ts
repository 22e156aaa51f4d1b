// Keycloak between Keywright and a site: Keycloak's users log in with Keywright.

import assert from 'node:assert/strict';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { fillInLogin } from '../harness/login-pages.ts';
import { startProgram } from '../harness/program.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import { payloadOf } from '../harness/token.ts';
import { configured, logInAt, register, type Scene, setScene } from './scene.ts';
import { needTool, run, unlessMissing } from './tools.ts';

const VERSION = '26.4.7';
const DISTRIBUTION = `org.keycloak:keycloak-quarkus-dist:${VERSION}:tar.gz`;
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
/** Keycloak builds itself at its first start. */
const PATIENCE_MS = 600_000;

let scene: Scene;
let site: Receiver;

before(async () => {
  scene = await setScene();
  site = await startReceiver((_request, response) => response.end('Site'));
});
after(async () => {
  await scene.close();
  await site.close();
});

/** @returns the address of its realm */
async function startKeycloak(t: TestContext): Promise<string> {
  const realm = '/realms/acme';
  const registered = await register(scene, {
    callback: `${realm}/broker/keywright/endpoint`,
    loggedOut: `${realm}/broker/keywright/endpoint/logout_response`,
  });
  const upstream = `http://127.0.0.1:${site.port}/`;
  const options = { folder: 'keycloak', file: 'realm.json', upstream };
  const cwd = await configured(scene, registered, options);
  const quietly = ['--batch-mode', '--quiet', COPY];
  await run('mvn', [...quietly, `-Dartifact=${DISTRIBUTION}`, '-DoutputDirectory=.'], { cwd });
  await run('tar', ['xzf', `keycloak-quarkus-dist-${VERSION}.tar.gz`], { cwd });
  const home = join(cwd, `keycloak-${VERSION}`);
  await mkdir(join(home, 'data', 'import'), { recursive: true });
  await rename(join(cwd, 'realm.json'), join(home, 'data', 'import', 'realm.json'));
  const { origin } = registered;
  const args = ['start-dev', '--import-realm', `--http-port=${new URL(origin).port}`];
  const url = `${origin}${realm}`;
  const running = { cwd: home, url, deadlineMs: PATIENCE_MS };
  const program = await startProgram(join(home, 'bin', 'kc.sh'), args, running);
  t.after(() => program.close());
  return `${url}/protocol/openid-connect`;
}

/** The URL at which the site's users start to log in. */
function authorizeAt(keycloak: string): string {
  const request = {
    client_id: 'site',
    redirect_uri: `http://127.0.0.1:${site.port}/`,
    response_type: 'code',
    scope: 'openid',
    kc_idp_hint: 'keywright',
  };
  return `${keycloak}/auth?${String(new URLSearchParams(request))}`;
}

/** Exchanges the code in the redirect. @returns Keycloak's ID token */
async function redeem(keycloak: string, back: string): Promise<string> {
  const answer = await fetch(`${keycloak}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'site',
      redirect_uri: `http://127.0.0.1:${site.port}/`,
      code: new URL(back).searchParams.get('code') ?? '',
    }),
  });
  return ((await answer.json()) as { id_token: string }).id_token;
}

test('Keycloak as a broker logs users in and out', async (t) => {
  await unlessMissing(t, async () => {
    await needTool('javac');
    await needTool('mvn');
    const keycloak = await startKeycloak(t);
    const back = `http://127.0.0.1:${site.port}/`;
    const page = await logInAt(scene, authorizeAt(keycloak), back);
    const idToken = await redeem(keycloak, page.url());
    const claims = payloadOf(idToken) as Record<string, unknown>;
    assert.deepEqual([claims['name'], claims['email']], ['Ada Lovelace', scene.user.identifier]);

    const logout = { id_token_hint: idToken, post_logout_redirect_uri: back };
    await page.goto(`${keycloak}/logout?${String(new URLSearchParams(logout))}`);
    await page.waitForURL(back);
    await page.goto(authorizeAt(keycloak));
    await fillInLogin(page, scene.user);
    await page.waitForURL((at) => at.href.startsWith(back));
  });
});
