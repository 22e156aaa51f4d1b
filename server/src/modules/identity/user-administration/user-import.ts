import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Fail, fail as refuse } from '@keywright/contract/errors';
import type { ImportResult, UserImport } from '@keywright/contract/records/user-import';
import { newUserId } from '../../../platform/crypto/ids.ts';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import type { Line } from '../../../platform/http/lines.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { recordAll } from '../../events/journal/index.ts';
import { MEMBER, requireMayGrant } from '../roles/index.ts';
import { countForeignHashes, createdUser, roleChange } from '../users/index.ts';
import { type CheckedUser, flawOf, LineFlaw, readLine } from './import-rules.ts';
import { type ImportCandidate, insertImported } from './user-administration-store.ts';

/** The number of lines that are checked before other requests get their turn. */
const TURN = 50;

/** A line that can be imported, or the reason why it cannot. */
type CheckedLine = { readonly line: number } & (
  | { readonly user: CheckedUser }
  | { readonly error: NonNullable<ImportResult['error']> }
);

/** Imports users with password hashes from other systems. */
export class UserImporter {
  readonly #gate: Gate;
  readonly #localScheme: string;

  constructor(gate: Gate, { scheme }: PasswordHasher) {
    this.#gate = gate;
    this.#localScheme = scheme;
  }

  async import(
    tenant: Tenant,
    caller: Caller,
    lines: readonly Line[],
    isDry: boolean,
    fail: Fail<'VALIDATION_FAILED'>,
  ): Promise<UserImport> {
    if (lines.length === 0) {
      fail('VALIDATION_FAILED', { errors: [{ path: '', message: 'must have at least one line' }] });
    }
    const checked = await checkLines(lines);
    const results = await this.#gate
      .into(tenant.id)
      .transaction(async (tx) => {
        const imported = await importLines(tx, caller, checked, this.#localScheme);
        // A dry run is an import that is rolled back, so it reports exactly what an import would do.
        if (isDry) throw new DryRun(imported);
        return imported;
      })
      .catch(resultsOfDryRun);
    return summary(results, isDry);
  }
}

async function checkLines(lines: readonly Line[]): Promise<CheckedLine[]> {
  const checked: CheckedLine[] = [];
  for (const [index, { number: line, bytes }] of lines.entries()) {
    if (index % TURN === TURN - 1) await nextTurn();
    try {
      checked.push({ line, user: readLine(bytes) });
    } catch (error) {
      if (!(error instanceof LineFlaw)) throw error;
      checked.push({ line, error: error.error });
    }
  }
  return checked;
}

async function importLines(
  tx: TenantTx,
  caller: Caller,
  lines: readonly CheckedLine[],
  localScheme: string,
): Promise<ImportResult[]> {
  const refusals = await refusedRoles(tx, caller, lines);
  const results = new Map<number, ImportResult>();
  const candidates: (ImportCandidate & { readonly line: number })[] = [];
  for (const checked of lines) {
    const error = 'error' in checked ? checked.error : roleErrorOf(checked.user, refusals);
    if (error) results.set(checked.line, { line: checked.line, status: 'failed', error });
    else if ('user' in checked) {
      const { user, line } = checked;
      candidates.push({ ...user, line, id: newUserId(tx.now), roles: rolesOf(user) });
    }
  }
  const outcomes = await insertImported(tx, candidates);
  const created: ImportCandidate[] = [];
  for (const [index, candidate] of candidates.entries()) {
    const { outcome, user_id: id } = outcomes[index] ?? { outcome: 'taken', user_id: null };
    results.set(candidate.line, resultOf(candidate.line, outcome, id));
    if (outcome === 'created') created.push(candidate);
  }
  await recordCreated(tx, caller, created);
  if (created.some(({ secretHash }) => secretHash !== undefined)) {
    await countForeignHashes(tx, localScheme);
  }
  return lines.map(({ line }) => results.get(line) ?? withoutResult(line));
}

function rolesOf({ roles = [MEMBER] }: CheckedUser): readonly string[] {
  return roles;
}

/** The roles that the caller cannot grant, each with its error. The other roles are locked until the commit. */
async function refusedRoles(
  tx: TenantTx,
  caller: Caller,
  lines: readonly CheckedLine[],
): Promise<ReadonlyMap<string, LineFlaw>> {
  const names = new Set(lines.flatMap((line) => ('user' in line ? rolesOf(line.user) : [])));
  const refused = new Map<string, LineFlaw>();
  for (const name of [...names].toSorted()) {
    try {
      await requireMayGrant(tx, caller, [name], refuse);
    } catch (error) {
      const flaw = flawOf(error);
      if (!(flaw instanceof LineFlaw)) throw error;
      refused.set(name, flaw);
    }
  }
  return refused;
}

function roleErrorOf(
  user: CheckedUser,
  refusals: ReadonlyMap<string, LineFlaw>,
): ImportResult['error'] {
  for (const [index, name] of rolesOf(user).entries()) {
    const flaw = refusals.get(name);
    if (flaw) return { ...flaw.error, path: `/roles/${index}` };
  }
  return undefined;
}

function resultOf(
  line: number,
  outcome: 'created' | 'existing' | 'taken',
  userId: ImportCandidate['id'] | null,
): ImportResult {
  if (outcome !== 'taken' && userId !== null) return { line, status: outcome, subject: userId };
  const message = 'another user has one of them';
  return {
    line,
    status: 'failed',
    error: { code: 'IDENTIFIER_TAKEN', path: '/identifiers', message },
  };
}

async function recordCreated(
  tx: TenantTx,
  caller: Caller,
  created: readonly ImportCandidate[],
): Promise<void> {
  const changes = new Map<string, Awaited<ReturnType<typeof roleChange>>>();
  for (const { roles } of created) {
    const key = roles.join(' ');
    if (!changes.has(key)) changes.set(key, await roleChange(tx, [], roles));
  }
  const records = created.flatMap(({ id, identifiers, roles }) => {
    const change = changes.get(roles.join(' '));
    return change ? [createdUser(id, identifiers, change)] : [];
  });
  await recordAll(tx, caller, records);
}

function summary(results: readonly ImportResult[], isDry: boolean): UserImport {
  const counted = (status: ImportResult['status']) =>
    results.filter((result) => result.status === status).length;
  return {
    dry_run: isDry,
    created: counted('created'),
    existing: counted('existing'),
    failed: counted('failed'),
    // The IDs of a dry run belong to no user.
    results: isDry ? results.map(withoutSubject) : [...results],
  };
}

function withoutSubject({ line, status, error }: ImportResult): ImportResult {
  return { line, status, ...(error ? { error } : {}) };
}

function withoutResult(line: number): never {
  throw new Error(`The line ${line} has no result.`);
}

/** Thrown to roll back the transaction of a dry run. It carries the results. */
class DryRun extends Error {
  readonly results: ImportResult[];

  constructor(results: ImportResult[]) {
    super('dry run');
    this.name = 'DryRun';
    this.results = results;
  }
}

function resultsOfDryRun(error: unknown): ImportResult[] {
  if (error instanceof DryRun) return error.results;
  throw error;
}
