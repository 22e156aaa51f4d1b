import { AppError, type Fail } from '@keywright/contract/errors';
import { type OAuthClientId, parseOAuthClientId, type TenantId } from '@keywright/contract/ids';
import { isDeepStrictEqual } from '../../../platform/builtins.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { requireRoomOfAddress } from '../../authentication/attempts/index.ts';
import { type Actor, record } from '../../events/journal/index.ts';
import { requireGoodProofs } from '../../tokens/proofs/index.ts';
import type { PublishKeys } from '../../tokens/signing-keys/index.ts';
import type { FindResources, KnownResources } from '../resources/index.ts';
import {
  documentAddress,
  isHostListed,
  isLet,
  type Published,
  createDocuments,
  type ReadDocument,
} from './client-documents.ts';
import { keptUntil, writeClient } from './client-lifecycle.ts';
import { fieldsFrom, judgeScopes } from './client-metadata.ts';
import { type ClientFields, algorithmsOf, flawsOf } from './client-rules.ts';
import {
  type KnownClient,
  UNWRITTEN,
  presentClient,
  lockClient,
  replaceClient,
} from './client-store.ts';
import { requireCallable } from './client-uris.ts';
import {
  hasOpenRegistrations,
  insertRegistration,
  lockRegistrations,
} from './registration-store.ts';

/** Of documents at hosts that nobody listed, and of listed hosts. */
const LIMITS = {
  stranger: { login_attempts_limit: 1, login_attempts_window: 60 },
  listed: { login_attempts_limit: 60, login_attempts_window: 60 },
};

const NOT_LET = 'The tenant does not let applications at this address log users in.';

interface Dependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly egress: Egress;
  readonly publishKeys: PublishKeys;
  readonly findResources: FindResources;
}

/** A client with a row, as this node knows it. */
export type FindKnown = (tenantId: TenantId, id: OAuthClientId) => Promise<KnownClient | undefined>;

/** Clients that say what they are in a document at the address that is their id. */
export interface PublishedClients {
  /**
   * Before a login begins with a client: where its id is the address of a document, this is read, unless it was a moment
   * ago. The client is known afterwards.
   * @param from who names it; undefined where the request was judged before
   * @returns why the document cannot be used; undefined where it can, and of any other client
   */
  readonly admit: (
    tenant: Tenant,
    named: string,
    from: Origin | undefined,
    fail: Fail<'TOO_MANY_ATTEMPTS'>,
  ) => Promise<string | undefined>;
  /** Writes a client that only its document knows of so far: a user is about to allow it something. */
  readonly keep: (
    tx: TenantTx,
    by: Actor,
    tenant: Tenant,
    id: OAuthClientId,
    fail: Fail<'TOO_MANY_CLIENTS' | 'REGISTRATION_FULL'>,
  ) => Promise<void>;
  /** One that was admitted on this node, whether it has a row or not. */
  kept(tenantId: TenantId, id: OAuthClientId): KnownClient | undefined;
}

/** What this node makes of a document, with the resources that there are. */
interface Formed {
  readonly resources: KnownResources;
  readonly fields: ClientFields;
  readonly client: KnownClient;
  /** Why it cannot be used. */
  readonly problem: string | undefined;
}

/** Documents as clients. */
interface Forms {
  kept(document: ReadDocument | undefined): Formed | undefined;
  /** With the resources that there are now. */
  form(
    tenant: Tenant,
    id: OAuthClientId,
    document: ReadDocument,
    published: Published,
  ): Promise<Formed>;
}

function createForms({ egress, publishKeys, findResources }: Dependencies): Forms {
  const formed = new WeakMap<ReadDocument, Formed>();
  return {
    kept: (document) => document && formed.get(document),
    async form({ id: tenantId }, id, document, published) {
      const resources = await findResources(tenantId);
      const before = formed.get(document);
      if (before?.resources === resources) return before;
      const fields = fieldsOf(published, resources);
      const problem = problemOf(fields, egress);
      if (problem === undefined && !before) await publishKeys(tenantId, algorithmsOf(fields));
      const now = { resources, fields, client: clientOf(tenantId, id, fields), problem };
      formed.set(document, now);
      return now;
    },
  };
}

export function createPublishedClients(
  dependencies: Dependencies,
  findKnown: FindKnown,
): PublishedClients {
  const { gate, egress, clock } = dependencies;
  const documents = createDocuments(egress, clock);
  const forms = createForms(dependencies);
  const keptOf = (tenantId: TenantId, id: OAuthClientId) =>
    forms.kept(documents.kept(tenantId, id));

  return {
    kept: (tenantId, id) => keptOf(tenantId, id)?.client,
    async admit(tenant, named, from, fail) {
      const url = documentAddress(named);
      const id = url && parseOAuthClientId(named);
      if (!url || !id) return undefined;
      if (!isLet(tenant.config, id)) return NOT_LET;
      const known = await findKnown(tenant.id, id);
      let document = documents.known(tenant.id, id);
      if (!document) {
        // What users allowed something before is not the choice of a stranger.
        if (from && !known) await requireRoom(dependencies, tenant, url, from, fail);
        document = await documents.read(tenant.id, id);
      }
      const { published, problem } = document;
      if (!published) return problem;
      const now = await forms.form(tenant, id, document, published);
      if (now.problem === undefined && known) await updatePublished(gate, known, now.fields);
      return now.problem;
    },
    async keep(tx, by, tenant, id, fail) {
      const fields = keptOf(tenant.id, id)?.fields;
      if (fields) await writePublished(tx, by, tenant, { id, fields }, fail);
    },
  };
}

/** Strangers make the service call hosts that the tenant listed, and others once a minute. */
function requireRoom(
  dependencies: Dependencies,
  tenant: Tenant,
  url: URL,
  from: Origin,
  fail: Fail<'TOO_MANY_ATTEMPTS'>,
): Promise<void> {
  const isListed = isHostListed(tenant.config, url);
  const limits = isListed ? LIMITS.listed : LIMITS.stranger;
  const counter = isListed ? 'listed document' : 'document';
  return requireRoomOfAddress(dependencies, tenant, from, { counter, limits }, fail);
}

function fieldsOf({ said, scopes = [] }: Published, resources: KnownResources): ClientFields {
  const policy = { most: undefined, mayWrite: false, resources: resources.all };
  return fieldsFrom(said, judgeScopes(scopes, said, policy).scopes);
}

function clientOf(tenantId: TenantId, id: OAuthClientId, fields: ClientFields): KnownClient {
  const own = { version: UNWRITTEN, secret_hashes: [], created_by: 'metadata_document' } as const;
  return { ...fields, ...own, id, tenant_id: tenantId };
}

/** What registration would refuse. */
function problemOf(fields: ClientFields, egress: Egress): string | undefined {
  const flaws = [...flawsOf(fields)];
  const collect: Fail<'VALIDATION_FAILED'> = (code, options) => {
    throw new AppError(code, options);
  };
  for (const check of [requireCallable, checkProofs]) {
    try {
      check(egress, fields, collect);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      flaws.push(...(error.options.errors ?? []));
    }
  }
  const [flaw] = flaws;
  return flaw && `${flaw.path.slice(1)} ${flaw.message}.`;
}

function checkProofs(egress: Egress, fields: ClientFields, fail: Fail<'VALIDATION_FAILED'>): void {
  requireGoodProofs(fields, egress, fail);
}

/** Nobody has to vouch for what a document says. */
const READER: Actor = { kind: 'system', name: 'client metadata documents' };
/** The names of the fields in which a document differs from what was read of it before. */
function changesOf(fields: ClientFields, before: Partial<ClientFields>): Partial<ClientFields> {
  const changed = Object.entries(fields).filter(
    // An administrator decides whether it gets tokens.
    ([name, value]) =>
      name !== 'is_active' && !isDeepStrictEqual(value, before[name as keyof ClientFields]),
  );
  return Object.fromEntries(changed);
}

/** Writes what the document of a known client says now, if it has changed. */
async function updatePublished(
  gate: Gate,
  known: KnownClient,
  fields: ClientFields,
): Promise<void> {
  if (Object.keys(changesOf(fields, known)).length === 0) return;
  await gate.into(known.tenant_id).transaction(async (tx) => {
    const row = await lockClient(tx, known.id);
    if (!row) return;
    const before = presentClient(row);
    const change = changesOf(fields, before);
    if (Object.keys(change).length === 0) return;
    await replaceClient(tx, known.id, { ...fields, is_active: before.is_active });
    await record(tx, READER, {
      action: 'client.updated',
      target: { kind: 'client', id: known.id },
      details: { fields: Object.keys(change), ...change },
      events: [],
    });
  });
}

/** Writes the client at the first consent to it. Of two at once, one does. */
async function writePublished(
  tx: TenantTx,
  by: Actor,
  { config }: Pick<Tenant, 'config'>,
  { id, fields }: { readonly id: OAuthClientId; readonly fields: ClientFields },
  fail: Fail<'TOO_MANY_CLIENTS' | 'REGISTRATION_FULL'>,
): Promise<void> {
  await lockRegistrations(tx);
  if (await lockClient(tx, id)) return;
  if (await hasOpenRegistrations(tx, config.oauth_max_registered_clients)) {
    fail('REGISTRATION_FULL');
  }
  const client = { id, fields, secret: undefined, createdBy: 'metadata_document' } as const;
  await writeClient(tx, by, client, fail);
  await insertRegistration(tx, id, { keptUntil: keptUntil(tx.now) });
}
