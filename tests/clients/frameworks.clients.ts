// Sites whose users log in with the framework's own OpenID Connect support.

import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fillInLogin, newVisitor } from '../harness/login-pages.ts';
import { startProgram } from '../harness/program.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import {
  waitForLoginPage,
  configured,
  endSessions,
  logInAt,
  mustLogIn,
  register,
  type Registered,
  type Scene,
  setLifetime,
  setScene,
} from './scene.ts';
import { installNpm, installPython } from './toolchains.ts';
import { needTool, run, unlessMissing } from './tools.ts';

/** Spring Boot starts in a few seconds, unless the machine is busy. */
const PATIENCE_MS = 180_000;

const EXAMPLE = fileURLToPath(new URL('../../examples/nextjs-login', import.meta.url));

const GOTH = fileURLToPath(new URL('applications/goth', import.meta.url));

interface PythonSite {
  readonly library: string;
  readonly file: string;
  readonly callback: string;
  /** Its page starts the login with a form. */
  readonly hasButton?: true;
}

/** None of them uses PKCE by default. */
const PYTHON_SITES: readonly PythonSite[] = [
  { library: 'Authlib', file: 'authlib_site.py', callback: '/callback' },
  { library: 'mozilla-django-oidc', file: 'mozilla_site.py', callback: '/oidc/callback/' },
  {
    library: 'python-social-auth',
    file: 'social_site.py',
    callback: '/complete/oidc/',
    hasButton: true,
  },
  {
    library: 'django-allauth',
    file: 'allauth_site.py',
    callback: '/accounts/oidc/keywright/login/callback/',
  },
];

let scene: Scene;

before(async () => {
  scene = await setScene();
});
after(() => scene.close());

function settings({ client, origin }: Registered) {
  return {
    ISSUER: scene.issuer,
    ORIGIN: origin,
    CLIENT_ID: client.id,
    CLIENT_SECRET: client.client_secret ?? '',
  };
}

/** The user's data as the site shows it. */
function shownOn(text: string | null): Readonly<Record<string, string>> {
  return JSON.parse(text ?? '') as Record<string, string>;
}

async function startPassport(t: TestContext, strategy: string): Promise<string> {
  const registered = await register(scene, { callback: '/callback' });
  const cwd = await configured(scene, registered, { folder: 'passport', file: 'server.mjs' });
  await installNpm(cwd);
  const { origin } = registered;
  const options = { cwd, url: `${origin}/nothing`, env: settings(registered) };
  const program = await startProgram(process.execPath, ['server.mjs', strategy], options);
  t.after(() => program.close());
  return origin;
}

async function startSpring(t: TestContext, pom: string): Promise<string> {
  const registered = await register(scene, {
    callback: '/login/oauth2/code/keywright',
    backchannel: '/logout/connect/back-channel/keywright',
  });
  const file = 'src/main/resources/application.yaml';
  const cwd = await configured(scene, registered, { folder: 'spring', file });
  await run('mvn', ['--batch-mode', '--quiet', '--file', pom, 'package'], { cwd });
  const { origin } = registered;
  const jar = join(cwd, 'target', 'spring-login-1.jar');
  const args = ['-XX:TieredStopAtLevel=1', '-jar', jar, `--server.port=${new URL(origin).port}`];
  const options = { cwd, url: `${origin}/error`, deadlineMs: PATIENCE_MS };
  const program = await startProgram('java', args, options);
  t.after(() => program.close());
  return origin;
}

let python: Promise<string> | undefined;

/** The same environment for all sites in Python. */
async function startPython(t: TestContext, { file, callback }: PythonSite): Promise<string> {
  const registered = await register(scene, { callback });
  const cwd = await configured(scene, registered, { folder: 'python', file });
  python ??= installPython(cwd);
  const { origin } = registered;
  const args = [file, new URL(origin).port];
  const program = await startProgram(await python, args, { cwd, url: `${origin}/nothing` });
  t.after(() => program.close());
  return origin;
}

async function startGoth(t: TestContext): Promise<string> {
  const registered = await register(scene, { callback: '/callback', requirePkce: false });
  const cwd = await temporaryDirectory('goth');
  await cp(GOTH, cwd, { recursive: true });
  const building = { GOTOOLCHAIN: 'local', GOFLAGS: '-mod=readonly -buildvcs=false' };
  await run('go', ['build', '-o', 'site', '.'], { cwd, env: building });
  const { origin } = registered;
  const env = { ...settings(registered), LISTEN: new URL(origin).host };
  const program = await startProgram(join(cwd, 'site'), [], {
    cwd,
    env,
    url: `${origin}/callback`,
  });
  t.after(() => program.close());
  return origin;
}

async function startNext(t: TestContext) {
  const registered = await register(scene, { callback: '/api/auth/callback/keywright' });
  const cwd = await temporaryDirectory('next');
  await cp(EXAMPLE, cwd, { recursive: true });
  await installNpm(cwd);
  const { client, origin } = registered;
  const env = {
    AUTH_KEYWRIGHT_ISSUER: scene.issuer,
    AUTH_KEYWRIGHT_ID: client.id,
    AUTH_KEYWRIGHT_SECRET: client.client_secret ?? '',
    AUTH_SECRET: 'a secret of the test only',
    AUTH_URL: origin,
    NEXT_TELEMETRY_DISABLED: '1',
  };
  const next = 'node_modules/next/dist/bin/next';
  await run(process.execPath, [next, 'build'], { cwd, env });
  const args = [next, 'start', '--port', new URL(origin).port];
  const { AUTH_SECRET: _, ...incomplete } = env;
  await assert.rejects(
    run(process.execPath, args, { cwd, env: incomplete }),
    /Set AUTH_SECRET first/,
  );
  const program = await startProgram(process.execPath, args, { cwd, env, url: origin });
  t.after(() => program.close());
  return { origin, clientId: client.id };
}

/** How often the sessions of an application were refreshed. */
async function refreshesOf(clientId: string): Promise<number> {
  const [row] = await scene.keywright.database.query(
    'SELECT sum(generation)::int AS times FROM sessions WHERE tenant_id = $1 AND client_id = $2',
    [scene.tenant.id, clientId],
  );
  return Number(row?.['times']);
}

describe('a site', () => {
  test('A Next.js site logs users in and out with Auth.js and refreshes, as the example shows', async (t) => {
    await unlessMissing(t, async () => {
      await needTool('npm');
      const { origin, clientId } = await startNext(t);
      const { page } = await newVisitor(scene.browser, { hasScripts: true });
      await page.goto(origin);
      await page.click('#login');
      await fillInLogin(page, scene.user);
      await page.click('#consent-allow');
      await page.getByText('Hello Ada Lovelace').waitFor();
      assert.equal(await page.textContent('#sub'), scene.user.user.id);
      for (const _ of [1, 2, 3]) {
        const times = await refreshesOf(clientId);
        await page.reload();
        await page.getByText('Hello Ada Lovelace').waitFor();
        assert.ok((await refreshesOf(clientId)) > times);
      }
      await page.click('#logout');
      await page.getByText('Welcome').waitFor();
      await page.click('#login');
      await fillInLogin(page, scene.user);
      await page.getByText('Hello Ada Lovelace').waitFor();
      await endSessions(scene);
      await page.reload();
      await page.getByText('Welcome').waitFor();
    });
  });

  for (const strategy of ['openid-client', 'passport-openidconnect']) {
    test(`A Passport site logs users in with the strategy of ${strategy}`, async (t) => {
      await unlessMissing(t, async () => {
        await needTool('npm');
        const page = await logInAt(scene, `${await startPassport(t, strategy)}/`);
        const { user, identifier: email } = scene.user;
        const shown = shownOn(await page.textContent('body'));
        assert.deepEqual(shown, { sub: user.id, name: 'Ada Lovelace', email });
      });
    });
  }

  for (const site of PYTHON_SITES) {
    test(`A Python site logs users in with ${site.library}`, async (t) => {
      await unlessMissing(t, async () => {
        await needTool('python');
        const origin = await startPython(t, site);
        const button = site.hasButton && '#login';
        const page = await logInAt(scene, `${origin}/`, origin, button);
        const { user, identifier: email } = scene.user;
        const shown = shownOn(await page.textContent('body'));
        const all = { sub: user.id, name: 'Ada Lovelace', email };
        // This library stores neither the subject nor the name.
        const isAddressAlone = site.library === 'mozilla-django-oidc';
        assert.deepEqual(shown, isAddressAlone ? { email } : all);
      });
    });
  }

  test('A Go site logs users in with goth, without PKCE or a nonce, after an administrator exempted it', async (t) => {
    await unlessMissing(t, async () => {
      await needTool('go');
      const page = await logInAt(scene, `${await startGoth(t)}/`);
      const { user, identifier: email } = scene.user;
      const shown = shownOn(await page.textContent('body'));
      assert.deepEqual(shown, { sub: user.id, name: 'Ada Lovelace', email });
    });
  });

  for (const [version, pom] of [
    [4, 'pom.xml'],
    [3, 'pom-boot-3.xml'],
  ] as const) {
    test(`A Spring Boot ${version} site logs users in and out, refreshes, and is notified when a login has ended`, async (t) => {
      await unlessMissing(t, async () => {
        await needTool('javac');
        await needTool('mvn');
        await setLifetime(scene, 60);
        const origin = `${await startSpring(t, pom)}/`;
        const page = await logInAt(scene, origin);
        const { token: first, ...shown } = shownOn(await page.textContent('body'));
        const { user, identifier: email } = scene.user;
        assert.deepEqual(shown, { sub: user.id, name: 'Ada Lovelace', email });
        await page.reload();
        const { token } = shownOn(await page.textContent('body'));
        assert.ok(token && token !== first);
        await page.goto(`${origin}logout`);
        await page.click('button');
        await mustLogIn(page);
        await setLifetime(scene, 3600);
        await fillInLogin(page, scene.user);
        await page.waitForURL((at) => at.href.startsWith(origin));
        await endSessions(scene);
        await waitForLoginPage(scene, page, origin);
      });
    });
  }
});
