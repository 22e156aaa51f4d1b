import { timingSafeEqual } from 'node:crypto';
import { AppError, type Fail } from '@keywright/contract/errors';
import { type OAuthClientId, type TenantId, parseOAuthClientId } from '@keywright/contract/ids';
import { isDeepStrictEqual } from '../../../platform/builtins.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { batched } from '../../../platform/db/calls.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Changes } from '../../../tenancy/changes.ts';
import { type Found, TenantCache } from '../../../tenancy/directory.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { requireRoomOfAddress } from '../../authentication/attempts/index.ts';
import { type Actor, record } from '../../events/journal/index.ts';
import { requireGoodProofs } from '../../tokens/proofs/index.ts';
import type { ApplicationKeys } from '../../tokens/signing-keys/index.ts';
import type { ResourceDirectory, TenantResources } from '../resources/index.ts';
import { ClientDocuments, type FetchedDocument, type PublishedClient } from './client-documents.ts';
import { unusedUntil, writeClient } from './client-lifecycle.ts';
import { fieldsFrom, judgeScopes } from './client-metadata.ts';
import {
  type ClientFields,
  algorithmsOf,
  documentAddress,
  flawsOf,
  isAllowed,
  isHostListed,
  requireCallable,
} from './client-rules.ts';
import {
  type ClientName,
  type LoadedClient,
  UNWRITTEN,
  findClientWithin,
  loadClients,
  findVersions,
  hasOpenRegistrations,
  insertRegistration,
  lockClient,
  lockRegistrations,
  presentClient,
  replaceClient,
} from './client-store.ts';

type CacheKey = `${TenantId} ${OAuthClientId}`;

const BATCH = { size: 64, flights: 1 };

/** The clients that requests name. Concurrent lookups share one statement. */
export class Clients {
  readonly #changes: Changes;
  readonly #documentClients: DocumentClients;
  readonly #load: (name: ClientName) => Promise<LoadedClient | undefined>;
  readonly #findVersion: (name: ClientName) => Promise<number | undefined>;
  readonly #cache: TenantCache<CacheKey, LoadedClient>;

  constructor(gate: Gate, changes: Changes, documentClients: DocumentClients) {
    this.#changes = changes;
    this.#documentClients = documentClients;
    this.#load = batched((names: readonly ClientName[]) => loadClients(gate, names), BATCH);
    this.#findVersion = batched((names: readonly ClientName[]) => findVersions(gate, names), BATCH);
    this.#cache = new TenantCache<CacheKey, LoadedClient>(changes, {
      load: (key) => this.#load(key.split(' ') as [TenantId, OAuthClientId]),
      tenantOf: (client) => client.tenant_id,
    });
  }

  /**
   * Returns a client as cached on this node, which can be an earlier version. A statement that opens a session for
   * the client, or sends a code to it, compares the version; on a mismatch, the caller calls `forget`.
   */
  cached(tenantId: TenantId, named: string): Found<LoadedClient> | undefined {
    const id = parseOAuthClientId(named);
    const found = id && this.#cache.find(`${tenantId} ${id}`);
    if (!id || !documentAddress(id)) return found;
    return found instanceof Promise
      ? found.then((client) => this.#orAdmitted(client, tenantId, id))
      : this.#orAdmitted(found, tenantId, id);
  }

  /** Whether this version of the client is current in the database. */
  async isCurrent({ tenant_id: tenantId, id, version }: LoadedClient): Promise<boolean> {
    return ((await this.#findVersion([tenantId, id])) ?? UNWRITTEN) === version;
  }

  /** Returns the current client from the database. */
  async find(tenantId: TenantId, named: string): Promise<LoadedClient | undefined> {
    const id = parseOAuthClientId(named);
    return id && this.#orAdmitted(await this.#load([tenantId, id]), tenantId, id);
  }

  /** Returns the client as this transaction sees it. */
  async findIn(tx: TenantTx, named: string): Promise<LoadedClient | undefined> {
    const id = parseOAuthClientId(named);
    return id && this.#orAdmitted(await findClientWithin(tx, id), tx.tenantId, id);
  }

  /** Clears the cached clients of a tenant without waiting for the notification of a change. */
  forget(tenantId: TenantId): void {
    this.#changes.forget(tenantId);
  }

  /**
   * Reads the document of a client whose ID is its address, unless it was read recently. Called before a login
   * starts; afterward `known` finds the client.
   * @param from the origin of the request; undefined if it is already rate-limited
   * @returns why the document cannot be used; undefined if it can, and for any other client
   */
  async admit(
    tenant: Tenant,
    named: string,
    from: Origin | undefined,
    fail: Fail<'TOO_MANY_ATTEMPTS'>,
  ): Promise<string | undefined> {
    const url = documentAddress(named);
    const id = url && parseOAuthClientId(named);
    if (!url || !id) return undefined;
    const find = async () => this.#cache.find(`${tenant.id} ${id}`);
    return this.#documentClients.admit(tenant, { id, url, find }, from, fail);
  }

  /** Inserts a client that has only a document so far, before the user consents to it. */
  async keep(
    tx: TenantTx,
    by: Actor,
    tenant: Tenant,
    id: OAuthClientId,
    fail: Fail<'TOO_MANY_CLIENTS' | 'REGISTRATION_FULL'>,
  ): Promise<void> {
    await this.#documentClients.insert(tx, by, tenant, id, fail);
  }

  /** Returns the client from its row, or from the document that this node has admitted. */
  #orAdmitted(
    found: LoadedClient | undefined,
    tenantId: TenantId,
    id: OAuthClientId,
  ): LoadedClient | undefined {
    return found ?? this.#documentClients.admitted(tenantId, id);
  }
}

/** Returns the client as this transaction sees it; undefined if it has only a document. */
export async function findClientIn(tx: TenantTx, named: string): Promise<LoadedClient | undefined> {
  const id = parseOAuthClientId(named);
  return id && findClientWithin(tx, id);
}

/** Whether this is a secret of the client. The check takes equally long for an unknown client and a wrong secret. */
export function hasSecret(
  client: LoadedClient | undefined,
  secret: string,
): client is LoadedClient {
  const presented = sha256(secret);
  const hashes = (client?.secret_hashes ?? []).map((hash) => Buffer.from(hash, 'base64'));
  return hashes.filter((hash) => timingSafeEqual(hash, presented)).length > 0;
}

/** Limits on document reads by unauthenticated requests, for hosts that the tenant lists and for others. */
export const LIMITS = {
  unlisted: { login_attempts_limit: 1, login_attempts_window: 60 },
  listed: { login_attempts_limit: 60, login_attempts_window: 60 },
};

const NOT_ALLOWED = 'The tenant does not allow applications at this URL to sign users in.';

/** A client ID that is the address of the client's document. */
interface DocumentName {
  readonly id: OAuthClientId;
  readonly url: URL;
  /** Finds the client's row, as cached on this node. */
  readonly find: () => Promise<LoadedClient | undefined>;
}

/** A client from a document, with the tenant's resources. */
interface DocumentClient {
  readonly resources: TenantResources;
  readonly fields: ClientFields;
  readonly client: LoadedClient;
  /** Why the document cannot be used. */
  readonly problem: string | undefined;
}

/** Clients whose ID is the address of their metadata document (draft-ietf-oauth-client-id-metadata-document). */
export class DocumentClients {
  readonly #core: Core;
  readonly #applicationKeys: ApplicationKeys;
  readonly #resources: ResourceDirectory;
  readonly #documents: ClientDocuments;
  readonly #clients = new WeakMap<FetchedDocument, DocumentClient>();

  constructor(core: Core, applicationKeys: ApplicationKeys, resources: ResourceDirectory) {
    this.#core = core;
    this.#applicationKeys = applicationKeys;
    this.#resources = resources;
    this.#documents = new ClientDocuments(core.egress, core.clock);
  }

  /** A client whose document this node has admitted. */
  admitted(tenantId: TenantId, id: OAuthClientId): LoadedClient | undefined {
    return this.#admitted(tenantId, id)?.client;
  }

  /** @returns why the document cannot be used; undefined if it can */
  async admit(
    tenant: Tenant,
    { id, url, find }: DocumentName,
    from: Origin | undefined,
    fail: Fail<'TOO_MANY_ATTEMPTS'>,
  ): Promise<string | undefined> {
    if (!isAllowed(tenant.config, id)) return NOT_ALLOWED;
    const loaded = await find();
    let document = this.#documents.fresh(tenant.id, id);
    if (!document) {
      // A client with a consent is not limited: its address was not chosen by a stranger.
      if (from && !loaded) await this.#requireRoom(tenant, url, from, fail);
      document = await this.#documents.fetch(tenant.id, id);
    }
    const { published, problem } = document;
    if (!published) return problem;
    const client = await this.#clientOf(tenant.id, id, document, published);
    if (client.problem === undefined && loaded) {
      await updateChanged(this.#core.gate, loaded, client.fields);
    }
    return client.problem;
  }

  /** Inserts the client at its first consent. Of two concurrent consents, one inserts it. */
  async insert(
    tx: TenantTx,
    by: Actor,
    { id: tenantId, config }: Tenant,
    id: OAuthClientId,
    fail: Fail<'TOO_MANY_CLIENTS' | 'REGISTRATION_FULL'>,
  ): Promise<void> {
    const fields = this.#admitted(tenantId, id)?.fields;
    if (!fields) return;
    await lockRegistrations(tx);
    if (await lockClient(tx, id)) return;
    if (await hasOpenRegistrations(tx, config.oauth_max_registered_clients)) {
      fail('REGISTRATION_FULL');
    }
    const client = { id, fields, secret: undefined, createdBy: 'metadata_document' } as const;
    await writeClient(tx, by, client, fail);
    await insertRegistration(tx, id, { retainedUntil: unusedUntil(tx.now) });
  }

  #admitted(tenantId: TenantId, id: OAuthClientId): DocumentClient | undefined {
    const document = this.#documents.cached(tenantId, id);
    return document && this.#clients.get(document);
  }

  /** Returns the client of a document, with the current resources of the tenant. */
  async #clientOf(
    tenantId: TenantId,
    id: OAuthClientId,
    document: FetchedDocument,
    published: PublishedClient,
  ): Promise<DocumentClient> {
    const resources = await this.#resources.of(tenantId);
    const before = this.#clients.get(document);
    if (before?.resources === resources) return before;
    const fields = fieldsOf(published, resources);
    const problem = problemOf(fields, this.#core.egress);
    if (problem === undefined && !before)
      await this.#applicationKeys.publish(tenantId, algorithmsOf(fields));
    const created = { resources, fields, client: clientOfDocument(tenantId, id, fields), problem };
    this.#clients.set(document, created);
    return created;
  }

  /**
   * Limits how often unauthenticated requests make the service call a host: once a minute if the tenant does not list
   * the host.
   */
  #requireRoom(
    tenant: Tenant,
    url: URL,
    from: Origin,
    fail: Fail<'TOO_MANY_ATTEMPTS'>,
  ): Promise<void> {
    const isListed = isHostListed(tenant.config, url);
    const limits = isListed ? LIMITS.listed : LIMITS.unlisted;
    const counter = isListed ? 'listed document' : 'document';
    return requireRoomOfAddress(this.#core, tenant, from, { counter, limits }, fail);
  }
}

function fieldsOf(
  { metadata, scopes = [] }: PublishedClient,
  resources: TenantResources,
): ClientFields {
  const policy = { most: undefined, mayWrite: false, resources: resources.all };
  return fieldsFrom(metadata, judgeScopes(scopes, metadata, policy).scopes);
}

function clientOfDocument(
  tenantId: TenantId,
  id: OAuthClientId,
  fields: ClientFields,
): LoadedClient {
  const unstored = {
    version: UNWRITTEN,
    secret_hashes: [],
    created_by: 'metadata_document',
  } as const;
  return { ...fields, ...unstored, id, tenant_id: tenantId };
}

/** Returns the first flaw that would prevent a registration. */
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

const DOCUMENT_READER: Actor = { kind: 'system', name: 'client metadata documents' };

/** Returns the fields that differ between a document and the stored client. */
function changesOf(fields: ClientFields, before: Partial<ClientFields>): Partial<ClientFields> {
  const changed = Object.entries(fields).filter(
    // Omitted, because an administrator decides whether the client is active.
    ([name, value]) =>
      name !== 'is_active' && !isDeepStrictEqual(value, before[name as keyof ClientFields]),
  );
  return Object.fromEntries(changed);
}

/** Updates a client whose document has changed. */
async function updateChanged(
  gate: Gate,
  stored: LoadedClient,
  fields: ClientFields,
): Promise<void> {
  if (Object.keys(changesOf(fields, stored)).length === 0) return;
  await gate.into(stored.tenant_id).transaction(async (tx) => {
    const row = await lockClient(tx, stored.id);
    if (!row) return;
    const before = presentClient(row);
    const change = changesOf(fields, before);
    if (Object.keys(change).length === 0) return;
    await replaceClient(tx, stored.id, { ...fields, is_active: before.is_active });
    await record(tx, DOCUMENT_READER, {
      action: 'client.updated',
      target: { kind: 'client', id: stored.id },
      details: { fields: Object.keys(change), ...change },
      events: [],
    });
  });
}
