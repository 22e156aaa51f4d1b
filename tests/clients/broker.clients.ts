// Keycloak between Keywright and a site: its users log in with Keywright.

import assert from 'node:assert/strict';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { startProgram } from '../harness/program.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import { claimsOf } from '../harness/token.ts';
import { configured, logInAt, register, type Scene, setScene } from './scene.ts';
import { needTool, run, unlessMissing } from './tools.ts';

const VERSION = '26.4.7';
const DISTRIBUTION = `org.keycloak:keycloak-quarkus-dist:${VERSION}:tar.gz`;
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
/** It builds itself at its first start. */
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
  const registered = await register(scene, '/realms/acme/broker/keywright/endpoint');
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
  const url = `${origin}/realms/acme`;
  const running = { cwd: home, url, deadlineMs: PATIENCE_MS };
  const program = await startProgram(join(home, 'bin', 'kc.sh'), args, running);
  t.after(() => program.close());
  return `${url}/protocol/openid-connect`;
}

test('Keycloak as a broker logs users in, with the claims of their profile', async (t) => {
  await unlessMissing(t, async () => {
    await needTool('javac');
    await needTool('mvn');
    const keycloak = await startKeycloak(t);
    const request = {
      client_id: 'site',
      redirect_uri: `http://127.0.0.1:${site.port}/`,
      response_type: 'code',
      scope: 'openid',
    };
    const own = new URLSearchParams({ ...request, kc_idp_hint: 'keywright' });
    const page = await logInAt(scene, `${keycloak}/auth?${String(own)}`, request.redirect_uri);
    const answer = await fetch(`${keycloak}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...request,
        grant_type: 'authorization_code',
        code: new URL(page.url()).searchParams.get('code') ?? '',
      }),
    });
    const { id_token: idToken } = (await answer.json()) as { id_token: string };
    const claims = claimsOf(idToken) as unknown as Record<string, unknown>;
    assert.deepEqual([claims['name'], claims['email']], ['Ada Lovelace', scene.user.identifier]);
  });
});
