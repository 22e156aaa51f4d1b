// The OpenID AuthZEN Authorization API 1.0: formats of requests and decisions.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { Decision } from '@keywright/contract/records/decision';
import type { Explanation } from '@keywright/contract/records/explanation';
import { evaluationOf } from '@keywright/tests/harness/evaluation';
import { type Answer, expectStatus, type JsonBody } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';

let keywright: Keywright;
let tenant: TestTenant;
let foreign: TestTenant;
/** Reads everything and writes notes. */
let editor: TestUser;
let member: TestUser;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('evaluated', { config: { login_attempts_limit: 10_000 } });
  foreign = await keywright.tenant('foreign');
  for (const at of [tenant, foreign]) {
    expectStatus(201, await administer(at, 'POST', '/workspaces', { name: 'south' }));
  }
  expectStatus(201, await administer(foreign, 'POST', '/workspaces', { name: 'theirs' }));
  const scopes = ['read:*', 'write:notes'];
  expectStatus(201, await administer(tenant, 'POST', '/roles', { name: 'editor', scopes }));
  editor = await tenant.createUser({ roles: ['editor'] });
  member = await tenant.createUser();
});

after(() => keywright.close());

async function administer<Body = JsonBody>(
  at: TestTenant,
  method: string,
  path: string,
  body?: object,
) {
  return at.request<Body>(method, path, { token: await at.adminToken(), ...(body && { body }) });
}

/** Sends one evaluation, or several. */
function evaluate<Body = Decision>(
  body: object,
  path = '/access/v1/evaluation',
  token = member.token,
): Promise<Answer<Body & ErrorBody>> {
  return tenant.request('POST', path, { token, body });
}

describe('a decision', () => {
  test('A decision names the missing scope, and nothing else unless an explanation is requested', async () => {
    const { token } = editor;
    const permitted = evaluationOf({ token, scope: 'read:articles' });
    assert.deepEqual(expectStatus(200, await evaluate(permitted)), { decision: true });
    for (const id of [token, 'garbage']) {
      const denied = await evaluate(evaluationOf({ token: id, scope: 'delete:articles' }));
      assert.deepEqual(expectStatus(200, denied), {
        decision: false,
        context: {
          reasons: [
            {
              code: 'scope_missing',
              detail: 'The subject does not hold the scope.',
              scopes: ['delete:articles'],
            },
          ],
        },
      });
    }
  });

  test('A decision with an explanation equals /explain, for callers who may use that', async () => {
    const admin = await tenant.adminToken();
    for (const scope of ['read:articles', 'write:articles']) {
      const question = { subject: editor.user.id, scope };
      const body = { ...evaluationOf(question), context: { explain: true } };
      const { decision, context } = expectStatus(200, await evaluate(body, undefined, admin));
      const explained = await administer<Explanation>(tenant, 'POST', '/explain', question);
      const { allowed, missing, grants, removals, reasons } = explained.body;
      assert.deepEqual([decision, context?.grants, context?.removals], [allowed, grants, removals]);
      const [first, ...others] = context?.reasons ?? [];
      assert.deepEqual(first?.scopes, allowed ? undefined : missing);
      assert.deepEqual(others, reasons);
    }
    const evaluation = {
      ...evaluationOf({ token: member.token, scope: 'read:x' }),
      context: { explain: true },
    };
    const unentitled = expectStatus(403, await evaluate(evaluation));
    assert.deepEqual(
      [unentitled.code, unentitled.detail],
      ['SCOPE_REQUIRED', 'The token lacks: read:audit.'],
    );
    const { key } = await tenant.createAgent({ scopes: ['*:*'] });
    const body = { ...evaluationOf({ token: key, scope: 'read:x' }), context: { explain: true } };
    const refused = expectStatus(403, await evaluate(body, undefined, key));
    assert.equal(refused.code, 'ADMINISTRATOR_REQUIRED');
  });

  test('A decision on an action and type that form no scope is a denial, even with all scopes', async () => {
    const token = await tenant.adminToken();
    for (const scope of [
      'can read:articles',
      'frobnicate:users',
      'read:Articles',
      'read:',
      ':articles',
      'Read:articles',
    ]) {
      const { decision, context } = expectStatus(
        200,
        await evaluate(evaluationOf({ token, scope })),
      );
      assert.deepEqual([decision, codesOf(context)], [false, ['scope_invalid']], scope);
    }
    const { subject } = evaluationOf({ token, scope: 'read:x' });
    const shifted = {
      subject,
      action: { name: 'delete:forever' },
      resource: { type: 'doc', id: '1' },
    };
    const { decision, context } = expectStatus(200, await evaluate(shifted));
    assert.deepEqual([decision, codesOf(context)], [false, ['scope_invalid']]);
  });

  test('A decision is the same for any resource id, whatever else the request contains', async () => {
    const { subject, action, resource } = evaluationOf({
      token: editor.token,
      scope: 'read:articles',
    });
    for (const id of ['*', '123', '']) {
      const properties = { department: 'sales', level: 3 };
      const body = {
        subject: { ...subject, properties },
        action: { ...action, properties },
        resource: { ...resource, id, properties },
        context: { time: '2026-11-22T12:00:00Z' },
        unheard_of: [],
      };
      assert.deepEqual(expectStatus(200, await evaluate(body)), { decision: true });
    }
  });

  test('A decision carries the X-Request-ID of its request, at both addresses', async () => {
    const body = evaluationOf({ token: editor.token, scope: 'read:articles' });
    for (const base of ['', `/t/${tenant.id}`]) {
      for (const name of ['evaluation', 'evaluations']) {
        const headers = { 'x-request-id': 'bfe9eb29-ab87-4ca3-be83-a1d5d8305716' };
        const options = { token: member.token, tenant: base ? [] : tenant.id, headers, body };
        const answer = await tenant.request('POST', `${base}/access/v1/${name}`, options);
        assert.deepEqual(expectStatus(200, answer), { decision: true });
        assert.equal(answer.headers['x-request-id'], headers['x-request-id']);
        const refused = await tenant.request('POST', `${base}/access/v1/${name}`, {
          ...options,
          token: 'garbage',
        });
        assert.equal(refused.status, 401);
        assert.equal(refused.headers['x-request-id'], headers['x-request-id']);
      }
    }
  });
});

function codesOf(context: Decision['context']): string[] {
  return context?.reasons.map(({ code }) => code) ?? [];
}

describe('the metadata of a tenant', () => {
  test('The metadata of a tenant is at the standard path, and names existing endpoints', async () => {
    const path = `/.well-known/authzen-configuration/t/${tenant.id}`;
    const answer = await tenant.request<Record<string, string>>('GET', path, { tenant: [] });
    const metadata = expectStatus(200, answer);
    const identifier = metadata['policy_decision_point'] ?? '';
    assert.equal(new URL(identifier).pathname, `/t/${tenant.id}`);
    assert.deepEqual(metadata, {
      policy_decision_point: identifier,
      access_evaluation_endpoint: `${identifier}/access/v1/evaluation`,
      access_evaluations_endpoint: `${identifier}/access/v1/evaluations`,
    });
    const byHeader = await tenant.request('GET', '/.well-known/authzen-configuration');
    assert.deepEqual(expectStatus(200, byHeader), metadata);
    assert.match(String(byHeader.headers.vary), /X-Tenant-ID/);
  });
});

const MANY = '/access/v1/evaluations';
interface Decisions {
  readonly evaluations: Decision[];
}

describe('a batch', () => {
  test('A batch returns results in order, each as it would be alone', async () => {
    const { token } = editor;
    const evaluations = [
      { token, scope: 'read:articles' },
      { token: 'garbage', scope: 'read:articles' },
      { subject: member.user.id, scope: 'write:notes' },
      { token, scope: 'read:articles', workspace_id: 'ws_theirs' },
      { token, scope: 'read:articles', workspace_id: 'ws_south' },
      { token, scope: 'can_read:articles' },
    ].map(evaluationOf);
    const answer = expectStatus(200, await evaluate<Decisions>({ evaluations }, MANY));
    const alone = await Promise.all(evaluations.map((evaluation) => evaluate(evaluation)));
    assert.deepEqual(
      answer.evaluations,
      alone.map((response) => expectStatus(200, response)),
    );
    const permitted = answer.evaluations.map(({ decision }) => decision);
    assert.deepEqual(permitted, [true, false, false, false, false, false]);
  });

  test('A batch fills omitted fields of an evaluation from the top-level defaults', async () => {
    const { subject, action, resource } = evaluationOf({
      token: editor.token,
      scope: 'read:notes',
    });
    const evaluations = [
      {},
      { action: { name: 'write' } },
      { resource: { type: 'articles', id: '1' }, action: { name: 'delete' } },
      { subject: { type: 'token', id: 'garbage' } },
      { resource: { type: 'notes', id: '2', properties: { workspace_id: 'ws_south' } } },
    ];
    const body = { subject, action, resource, evaluations };
    const answer = expectStatus(200, await evaluate<Decisions>(body, MANY));
    const permitted = answer.evaluations.map(({ decision }) => decision);
    assert.deepEqual(permitted, [true, true, false, false, false]);
  });

  test('A batch stops as its semantic says, and without evaluations is a single evaluation', async () => {
    const { token } = editor;
    const [yes, no] = ['read:notes', 'delete:notes'].map((scope) => evaluationOf({ token, scope }));
    const permitted = async (evaluations: unknown[], evaluations_semantic?: string) => {
      const body = { evaluations, options: { evaluations_semantic, another: true } };
      const answer = expectStatus(200, await evaluate<Decisions>(body, MANY));
      return answer.evaluations.map(({ decision }) => decision);
    };
    assert.deepEqual(await permitted([yes, no, yes]), [true, false, true]);
    assert.deepEqual(await permitted([yes, no, yes], 'execute_all'), [true, false, true]);
    assert.deepEqual(await permitted([yes, no, yes], 'deny_on_first_deny'), [true, false]);
    assert.deepEqual(await permitted([no, yes, no], 'permit_on_first_permit'), [false, true]);
    assert.deepEqual(await permitted([yes, yes], 'deny_on_first_deny'), [true, true]);
    for (const body of [yes, { ...yes, evaluations: [] }]) {
      assert.deepEqual(expectStatus(200, await evaluate(body as object, MANY)), { decision: true });
    }
  });

  test('A batch denies an invalid evaluation and names what is wrong, and decides the others', async () => {
    const whole = evaluationOf({ token: editor.token, scope: 'read:articles' });
    const { subject, action } = whole;
    const evaluations: unknown[] = [
      whole,
      { subject, action },
      { ...whole, resource: { type: 'articles' } },
      { ...whole, action: {}, context: { explain: true } },
      { ...whole, errors: [], denied: true },
      'read:articles',
      null,
      [whole],
    ];
    const answer = expectStatus(200, await evaluate<Decisions>({ evaluations }, MANY));
    const invalid = (message: string) => ({
      decision: false,
      context: { reasons: [], error: { status: 400, message } },
    });
    assert.deepEqual(answer.evaluations, [
      { decision: true },
      invalid('/resource is required'),
      invalid('/resource/id is required'),
      invalid('/action/name is required'),
      { decision: true },
      ...[1, 2, 3].map(() => invalid('must be an object')),
    ]);
    const options = { evaluations_semantic: 'deny_on_first_deny' };
    const cut = await evaluate<Decisions>({ evaluations, options }, MANY);
    assert.equal(expectStatus(200, cut).evaluations.length, 2);
  });

  test('A batch has at most 100 evaluations', async () => {
    const evaluation = evaluationOf({ token: editor.token, scope: 'read:articles' });
    const evaluations = Array.from({ length: 100 }, () => evaluation);
    const answer = expectStatus(200, await evaluate<Decisions>({ evaluations }, MANY));
    assert.deepEqual(
      answer.evaluations,
      evaluations.map(() => ({ decision: true })),
    );
    expectStatus(400, await evaluate({ evaluations: [...evaluations, evaluation] }, MANY));
  });
});

describe('a malformed evaluation', () => {
  const whole = evaluationOf({ token: 'x', scope: 'read:articles' });
  const { subject, action, resource } = whole;
  const FLAWS: readonly (readonly [path: string, body: object, flaws: readonly string[]])[] = [
    ['evaluation', {}, ['/subject', '/action', '/resource']],
    ['evaluation', { subject, action }, ['/resource']],
    ['evaluation', { ...whole, subject: { id: 'x' } }, ['/subject/type']],
    ['evaluation', { ...whole, subject: { type: 'user' } }, ['/subject/id']],
    ['evaluation', { ...whole, subject: 'user:x' }, ['/subject']],
    ['evaluation', { ...whole, action: {} }, ['/action/name']],
    ['evaluation', { ...whole, action: { name: 7 } }, ['/action/name']],
    ['evaluation', { ...whole, resource: { id: '1' } }, ['/resource/type']],
    ['evaluation', { ...whole, resource: { type: 'articles' } }, ['/resource/id']],
    ['evaluations', { ...whole, resource: { type: 'articles' } }, ['/resource/id']],
    ['evaluation', { ...whole, context: 'why' }, ['/context']],
    [
      'evaluation',
      { ...whole, resource: { ...resource, properties: { workspace_id: 'north' } } },
      ['/resource/properties/workspace_id'],
    ],
    ['evaluations', { action, resource }, ['/subject']],
    ['evaluations', { evaluations: whole }, ['/evaluations']],
    ['evaluations', { resource: {}, evaluations: [whole] }, ['/resource/type', '/resource/id']],
    [
      'evaluations',
      { ...whole, options: { evaluations_semantic: 'some' } },
      ['/options/evaluations_semantic'],
    ],
  ];
  for (const [path, body, flaws] of FLAWS) {
    test(`A malformed evaluation is rejected at ${path}: ${JSON.stringify(body).slice(0, 100)}`, async () => {
      const refused = expectStatus(400, await evaluate(body, `/access/v1/${path}`));
      assert.equal(refused.code, 'VALIDATION_FAILED');
      assert.deepEqual(
        refused.errors?.map((error) => error.path),
        flaws,
      );
    });
  }
});
