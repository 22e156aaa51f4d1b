// Layer 1: type errors. The snippets of each pair differ only in the value passed.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../harness/temporary.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The folder of the generated callers, which only the server imports by name. */
const SQL = join(ROOT, 'server/sql/');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

/** Declarations for every snippet; never executed. */
const SCOPE = `
import type { ErrorCode, Fail } from '@keywright/contract/errors';
import type { SessionId, TenantId, UserId } from '@keywright/contract/ids';
import { logInToConsole } from '@keywright/contract/routes/console';
import { live } from '@keywright/contract/routes/service';
import { getMe } from '@keywright/contract/routes/me';
import { getUser } from '@keywright/contract/routes/users';
import type { Database } from '@keywright/server/platform/db/database';
import {
  asTenant,
  deleteFrom,
  from,
  type Gate,
  type SystemData,
  type SystemTx,
  type TenantData,
  type TenantTx,
  update,
} from '@keywright/server/tenancy/gate';
import { type Caller, nameOf, type UnconfirmedCaller } from '@keywright/server/tenancy/caller';
import { SeeOther } from '@keywright/server/platform/http/replies';
import type { Router } from '@keywright/server/tenancy/router';
import { endSession } from '@keywright/server/modules/tokens/sessions/session-administration';
import type { Flow } from '@keywright/server/modules/authentication/proofs/proof-rules';
import { decide, type Policy } from '@keywright/server/modules/authentication/proofs/proof-rules';
import type { SessionService } from '@keywright/server/modules/tokens/sessions/index';
import type { Tenant } from '@keywright/server/tenancy/tenant';
import { findUser } from '@keywright/server/modules/identity/users/user-list-store';
import { callAs } from '@keywright/server/platform/db/calls';
import { findUsers } from '${SQL}identity/kw_find_users.ts';
import { findSuppression } from '${SQL}events/kw_find_suppression.ts';
import { readApiKey } from '${SQL}machines/kw_read_api_key.ts';
import { record } from '${SQL}events/kw_record.ts';
import type { RefreshSessionsRow } from '${SQL}tokens/kw_refresh_sessions.ts';
import { countVisibleCheckRows } from '@keywright/server/tenancy/store';
import { requireIdentifier } from '@keywright/server/platform/http/validation';
declare const database: Database;
declare const bytes: Buffer;
declare const rotated: () => Promise<RefreshSessionsRow[]>;
declare const gate: Gate;
declare const router: Router;
declare const replayed: typeof logInToConsole & { readonly form: 'replayed' };
declare const tenant: TenantData;
declare const tx: TenantTx;
declare const system: SystemData;
declare const systemTx: SystemTx;
declare const tenantId: TenantId;
declare const userId: UserId;
declare const sessionId: SessionId;
declare const caller: Caller;
declare const unconfirmed: UnconfirmedCaller;
declare const text: string;
declare const requireAny: (name: string) => never;
declare const flow: Flow;
declare const policy: Policy;
declare const sessions: SessionService;
declare const request: Omit<Parameters<SessionService['open']>[1], 'permit'>;
declare const whole: Tenant;
export const snippet = () => `;

interface Pair {
  readonly title: string;
  /** Compiles: the control. */
  readonly right: string;
  readonly wrong: string;
  /** The compiler's message. */
  readonly error: RegExp;
}

/** The errors for types that are not assignable and for missing properties. The code depends on their number. */
const NOT_ASSIGNABLE = /^TS2322$/;
const DOES_NOT_FIT = /^TS(2345|2379|2739|2740|2741|2769)$/;
const UNKNOWN_PROPERTY = /^TS2353$/;
const IS_OF_ANOTHER_TYPE = /^TS2322$/;
const MAY_BE_NULL = /^TS(18047|2531)$/;
const HAS_TOO_FEW = /^TS2554$/;
const IS_NOT_THERE = /^TS(2339|2551)$/;
const MAY_BE_UNDEFINED = /^TS18048$/;

const PAIRS: readonly Pair[] = [
  {
    title: 'a caller whose credential is not known to be alive is not taken for one',
    right: 'nameOf(caller)',
    wrong: 'nameOf(unconfirmed)',
    error: DOES_NOT_FIT,
  },
  {
    title: 'a handler that begins before the credential is confirmed has no confirmed caller',
    right: 'router.add(getUser, ({ caller: one }) => requireAny(nameOf(one)))',
    wrong: 'router.add(getMe, ({ caller: one }) => requireAny(nameOf(one)))',
    error: DOES_NOT_FIT,
  },
  {
    title: 'the raw database is not what a store takes',
    right: 'findUser(tx, userId)',
    wrong: 'findUser(database.kysely, userId)',
    error: DOES_NOT_FIT,
  },
  {
    title: 'a bare transaction of the database is not what a store takes',
    right: 'tenant.transaction((inside) => findUser(inside, userId))',
    wrong: 'database.kysely.transaction().execute((inside) => findUser(inside, userId))',
    error: DOES_NOT_FIT,
  },
  {
    title: 'an object that only looks like a tenant transaction is none',
    right: 'countVisibleCheckRows(tx)',
    wrong: 'countVisibleCheckRows({ tenantId, db: tx.db })',
    error: DOES_NOT_FIT,
  },
  {
    title: 'a transaction across tenants is not what a store of one tenant takes',
    right: 'endSession(tx, caller, sessionId, "revoked")',
    wrong: 'endSession(systemTx, caller, sessionId, "revoked")',
    error: DOES_NOT_FIT,
  },
  {
    title: 'a transaction of one tenant does not permit work across tenants',
    right: '((work: (inside: SystemTx) => void) => work(systemTx))',
    wrong: '((work: (inside: SystemTx) => void) => work(tx))',
    error: DOES_NOT_FIT,
  },
  {
    title: 'what is of one tenant is done as that tenant, in work across tenants too',
    right: 'asTenant(systemTx, tenantId, (own) => findUser(own, userId))',
    wrong: 'asTenant(systemTx, tenantId, () => findUser(systemTx, userId))',
    error: DOES_NOT_FIT,
  },
  {
    title: 'a tenant cannot be entered by a plain string',
    right: 'asTenant(systemTx, tenantId, async () => text)',
    wrong: 'asTenant(systemTx, text, async () => text)',
    error: DOES_NOT_FIT,
  },
  {
    title: 'work across tenants says who does it and why',
    right: "system.run(caller, 'list tenants', async () => text)",
    wrong: 'system.run(async () => text)',
    error: HAS_TOO_FEW,
  },
  {
    title: 'a session opens by what was decided, and by nothing that only looks like it',
    right:
      '{ const next = decide(flow, undefined, policy); return next.status === "complete" && sessions.open(whole, { ...request, permit: next.permit }); }',
    wrong:
      '{ const permit = { tenantId, userId, authVersion: 0, authTime: new Date(), acr: "aal1", amr: [] } as const; return sessions.open(whole, { ...request, permit }); }',
    error: DOES_NOT_FIT,
  },
  {
    title: 'a permit is not changed on its way, not even in a copy',
    right:
      '{ const next = decide(flow, undefined, policy); return next.status === "complete" && sessions.open(whole, { ...request, permit: next.permit }); }',
    wrong:
      '{ const next = decide(flow, undefined, policy); return next.status === "complete" && sessions.open(whole, { ...request, permit: { ...next.permit, acr: "phr" } }); }',
    error: DOES_NOT_FIT,
  },
  {
    title: 'the gate hands out no raw database',
    right: 'gate.into(tenantId)',
    wrong: 'gate.kysely',
    error: IS_NOT_THERE,
  },
  {
    title: 'a plain string is no tenant id',
    right: 'gate.into(tenantId)',
    wrong: 'gate.into(text)',
    error: DOES_NOT_FIT,
  },
  {
    title: 'a plain string is no user id',
    right: 'findUser(tx, userId)',
    wrong: 'findUser(tx, text)',
    error: DOES_NOT_FIT,
  },
  {
    title: 'a literal of the right form is no user id',
    right: 'findUser(tx, userId)',
    wrong: 'findUser(tx, "user:01h455vb4pex5vsknk084sn02q")',
    error: DOES_NOT_FIT,
  },
  {
    title: 'an id of one kind is none of another kind',
    right: 'endSession(tx, caller, sessionId, "revoked")',
    wrong: 'endSession(tx, caller, userId, "revoked")',
    error: DOES_NOT_FIT,
  },
  {
    title: 'a column of ids is compared with ids of its own kind',
    right: 'from(tx, "users").where("id", "=", userId)',
    wrong: 'from(tx, "users").where("id", "=", sessionId)',
    error: DOES_NOT_FIT,
  },
  {
    title: 'a query of a store names the tenant',
    right: 'from(tx, "users").selectAll()',
    wrong: 'tx.db.selectFrom("users").selectAll()',
    error: IS_NOT_THERE,
  },
  {
    title: 'an update of a store names the tenant',
    right: 'update(tx, "users").set({ is_active: false })',
    wrong: 'tx.db.updateTable("users").set({ is_active: false })',
    error: IS_NOT_THERE,
  },
  {
    title: 'a deletion of a store names the tenant',
    right: 'deleteFrom(tx, "users")',
    wrong: 'tx.db.deleteFrom("users")',
    error: IS_NOT_THERE,
  },
  {
    title: 'a transaction across tenants does not start a query of one tenant',
    right: 'asTenant(systemTx, tenantId, (own) => from(own, "users").selectAll().execute())',
    wrong: 'from(systemTx, "users").selectAll().execute()',
    error: DOES_NOT_FIT,
  },
  {
    title: 'a table without tenants is not queried as one tenant',
    right: 'from(tx, "users").selectAll()',
    wrong: 'from(tx, "nodes")',
    error: DOES_NOT_FIT,
  },
  {
    title: 'a function of one tenant is called with the tenant that was entered, and no other',
    right: 'tenant.call(readApiKey, { hash: bytes })',
    wrong: 'tenant.call(readApiKey, { hash: bytes, tenant: tenantId })',
    error: UNKNOWN_PROPERTY,
  },
  {
    title: 'a function of many tenants is not called as one tenant',
    right: 'gate.callMany(findUsers, { tenants: [tenantId], users: [userId] })',
    wrong: 'tenant.call(findUsers, { tenants: [tenantId], users: [userId] })',
    error: DOES_NOT_FIT,
  },
  {
    title: 'each item of a batch names its tenant',
    right: 'gate.callEach(findSuppression, [{ tenant: tenantId, id: text }])',
    wrong: 'gate.callEach(findSuppression, [{ id: text }])',
    error: DOES_NOT_FIT,
  },
  {
    title: 'a function that needs a transaction is not called without one',
    right: 'callAs(tx, record, { entries: text, events: text })',
    wrong: 'tenant.call(record, { entries: text, events: text })',
    error: DOES_NOT_FIT,
  },
  {
    title: 'a function is called with all of its arguments',
    right: 'gate.callMany(findUsers, { tenants: [tenantId], users: [userId] })',
    wrong: 'gate.callMany(findUsers, { tenants: [tenantId] })',
    error: DOES_NOT_FIT,
  },
  {
    title: 'an argument with ids of one kind takes none of another kind',
    right: 'gate.callMany(findUsers, { tenants: [tenantId], users: [userId] })',
    wrong: 'gate.callMany(findUsers, { tenants: [tenantId], users: [sessionId] })',
    error: IS_OF_ANOTHER_TYPE,
  },
  {
    title: 'a column that may be null is not read as if it never were',
    right: 'tenant.call(readApiKey, { hash: bytes }).then(([row]) => row?.allowed_ips?.length)',
    wrong:
      'tenant.call(readApiKey, { hash: bytes }).then(([row]) => row && row.allowed_ips.length)',
    error: MAY_BE_NULL,
  },
  {
    title: 'what an ended session lacks is not read before it is known that it has not ended',
    right:
      'rotated().then(([row]) => row?.outcome === "rotated" ? row.access_version.toFixed() : 0)',
    wrong: 'rotated().then(([row]) => row?.access_version.toFixed())',
    error: MAY_BE_NULL,
  },
  {
    title: 'a handler fails with codes that its route declares, and with no other',
    right: 'router.add(getUser, (_call, fail) => fail("NOT_FOUND"))',
    wrong: 'router.add(getUser, (_call, fail) => fail("IDENTIFIER_TAKEN"))',
    error: DOES_NOT_FIT,
  },
  {
    title: 'a function is not handed a fail that cannot tell its codes',
    right: '((fail: Fail<"VALIDATION_FAILED">) => requireIdentifier(text, "/identifier", fail))',
    wrong: '((fail: Fail<"NOT_FOUND">) => requireIdentifier(text, "/identifier", fail))',
    error: DOES_NOT_FIT,
  },
  {
    title: 'a route that looks for no tenant has none to work in',
    right: 'router.add(getUser, (call, fail) => fail("NOT_FOUND", { detail: call.tenant.id }))',
    wrong: 'router.add(live, ({ tenant: none }) => (void none.id, { status: "ok" as const }))',
    error: MAY_BE_UNDEFINED,
  },
  {
    title: 'a handler sets no cookie that its route does not declare',
    right: 'router.add(logInToConsole, () => new SeeOther("/reference", []))',
    wrong:
      'router.add(logInToConsole, () => new SeeOther("/reference", [{ name: "device", value: "x", maxAgeSeconds: 1 }]))',
    error: NOT_ASSIGNABLE,
  },
  {
    title: 'a form of another site reaches no handler',
    right: 'router.replay(replayed)',
    wrong: 'router.add(replayed, () => new SeeOther("/reference"))',
    error: DOES_NOT_FIT,
  },
  {
    title: 'no text leads a browser elsewhere',
    right: 'new SeeOther(new URL(text))',
    wrong: 'new SeeOther(text)',
    error: DOES_NOT_FIT,
  },
];

/** The errors that the compiler found, by file. */
let errors: ReadonlyMap<string, readonly string[]>;

before(async () => {
  const project = await temporaryDirectory('types');
  await symlink(join(ROOT, 'node_modules'), join(project, 'node_modules'), 'junction');
  for (const [index, { right, wrong }] of PAIRS.entries()) {
    await writeFile(join(project, `right-${index}.ts`), `${SCOPE}${right};\n`);
    await writeFile(join(project, `wrong-${index}.ts`), `${SCOPE}${wrong};\n`);
  }
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  const config = { extends: join(ROOT, 'tsconfig.json'), include: ['./*.ts'] };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config));
  errors = await compile(project);
});

async function compile(project: string): Promise<Map<string, string[]>> {
  const child = spawn(process.execPath, [TSC, '--noEmit', '--pretty', 'false', '-p', project], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  const found = new Map<string, string[]>();
  for (const [, file = '', code = ''] of output.matchAll(/^(\S+?)\(\d+,\d+\): error (TS\d+)/gm)) {
    found.set(file, [...(found.get(file) ?? []), code]);
  }
  assert.notEqual(found.size, 0, `the compiler found nothing at all:\n${output}`);
  return found;
}

describe('the compiler keeps tenants apart (SPEC service 6)', () => {
  for (const [index, { title, error }] of PAIRS.entries()) {
    test(title, () => {
      assert.deepEqual(errors.get(`right-${index}.ts`) ?? [], [], 'the control does not compile');
      const refused = errors.get(`wrong-${index}.ts`) ?? [];
      assert.equal(refused.length, 1, `refused with [${refused.join(', ')}]`);
      assert.match(refused[0] ?? '', error);
    });
  }
});
