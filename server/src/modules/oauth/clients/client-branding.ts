import { namesAddress } from '@keywright/contract/addresses';
import type { Fail, FieldError } from '@keywright/contract/errors';
import { type OAuthClientId, parseOAuthClientId } from '@keywright/contract/ids';
import type { ClientBranding, ClientBrandingPatch } from '@keywright/contract/records/branding';
import type { LogoKind } from '@keywright/contract/records/logo';
import type { Caller } from '../../../tenancy/caller.ts';
import { deleteFrom, from, type Gate, type TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { kindOf, requireImage, type Upload } from '../../branding/brand/index.ts';
import { record } from '../../events/journal/index.ts';
import { lockClientKey, serializeClientChanges } from './client-store.ts';

type Stored = Pick<ClientBranding, 'settings' | 'images'>;

const NOTHING: Stored = { settings: {}, images: {} };

/** The branding of single clients, which replaces that of the tenant field by field. */
export class ClientBrandings {
  readonly #gate: Gate;

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  get({ id: tenantId }: Tenant, id: string, fail: Fail<'NOT_FOUND'>): Promise<ClientBranding> {
    return this.#gate.into(tenantId).transaction(async (tx) => {
      const clientId = await requireClientKey(tx, id, fail);
      return present(tx, clientId, await findBranding(tx, clientId));
    });
  }

  change(
    { id: tenantId }: Tenant,
    caller: Caller,
    id: string,
    patch: ClientBrandingPatch,
    fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND'>,
  ): Promise<ClientBranding> {
    requireNoAddress(patch, fail);
    return this.#write(tenantId, caller, id, fail, async ({ settings, images }) => {
      const merged = Object.entries({ ...settings, ...patch }).filter(
        ([, value]) => value !== null,
      );
      return { settings: Object.fromEntries(merged), images };
    });
  }

  putImage(
    { id: tenantId }: Tenant,
    caller: Caller,
    { client_id: id, kind: name }: { readonly client_id: string; readonly kind: string },
    image: string,
    fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND'>,
  ): Promise<ClientBranding> {
    const kind = kindOf(name) ?? fail('NOT_FOUND');
    const upload = { kind, ...requireImage(image, kind, fail) };
    return this.#write(tenantId, caller, id, fail, async ({ settings, images }, tx, clientId) => {
      const next = { settings, images: { ...images, [kind]: upload.digest.toString('hex') } };
      // The image refers to the row of its client.
      await store(tx, clientId, next);
      await putImage(tx, clientId, upload);
      return next;
    });
  }

  deleteImage(
    { id: tenantId }: Tenant,
    caller: Caller,
    { client_id: id, kind: name }: { readonly client_id: string; readonly kind: string },
    fail: Fail<'NOT_FOUND'>,
  ): Promise<ClientBranding> {
    const kind = kindOf(name) ?? fail('NOT_FOUND');
    return this.#write(tenantId, caller, id, fail, async ({ settings, images }, tx, clientId) => {
      const { [kind]: deleted, ...others } = images;
      if (deleted === undefined) return fail('NOT_FOUND');
      await deleteImage(tx, clientId, kind);
      return { settings, images: others };
    });
  }

  /** Changes are made one after the other. */
  #write(
    tenantId: Tenant['id'],
    caller: Caller,
    id: string,
    fail: Fail<'NOT_FOUND'>,
    change: (before: Stored, tx: TenantTx, clientId: OAuthClientId) => Promise<Stored>,
  ): Promise<ClientBranding> {
    return this.#gate.into(tenantId).transaction(async (tx) => {
      const clientId = await requireClientKey(tx, id, fail);
      await serializeClientChanges(tx, clientId);
      const before = await findBranding(tx, clientId);
      const after = await change(before, tx, clientId);
      const changes = changedIn(before, after);
      if (changes.length > 0) {
        await store(tx, clientId, after);
        await recordChange(tx, caller, clientId, changes);
      }
      return present(tx, clientId, after);
    });
  }
}

async function requireClientKey(
  tx: TenantTx,
  id: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<OAuthClientId> {
  const clientId = parseOAuthClientId(id) ?? fail('NOT_FOUND');
  return (await lockClientKey(tx, clientId)) ? clientId : fail('NOT_FOUND');
}

/** A text on the page of a login must not lead users elsewhere. */
function requireNoAddress(
  { headline, subline }: ClientBrandingPatch,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const message = 'must not contain an address';
  const errors = Object.entries({ headline, subline }).flatMap(([name, text]): FieldError[] =>
    text && namesAddress(text) ? [{ path: `/settings/${name}`, message }] : [],
  );
  if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
}

interface BrandingChange {
  readonly name: string;
  /** The value, or the digest of the image; null: the tenant's applies again. */
  readonly after: string | number | boolean | null;
}

function flat({ settings, images }: Stored): Readonly<Record<string, BrandingChange['after']>> {
  return { ...settings, ...images };
}

/** The changed settings and images. */
function changedIn(before: Stored, after: Stored): BrandingChange[] {
  const old = flat(before);
  const now = flat(after);
  const names = new Set(Object.keys({ ...old, ...now }));
  return [...names]
    .filter((name) => old[name] !== now[name])
    .map((name) => ({ name: `branding.${name}`, after: now[name] ?? null }));
}

async function findBranding(tx: TenantTx, clientId: OAuthClientId): Promise<Stored> {
  const row = await from(tx, 'client_brandings')
    .select(['settings', 'images'])
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return row ?? NOTHING;
}

async function store(
  tx: TenantTx,
  clientId: OAuthClientId,
  { settings, images }: Stored,
): Promise<void> {
  tx.changed();
  const values = { settings: JSON.stringify(settings), images: JSON.stringify(images) };
  await tx.db
    .insertInto('client_brandings')
    .values({ tenant_id: tx.tenantId, client_id: clientId, ...values })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'client_id']).doUpdateSet(values))
    .execute();
}

async function putImage(
  tx: TenantTx,
  clientId: OAuthClientId,
  { kind, digest, contentType, image }: Upload,
): Promise<void> {
  const values = { digest, content_type: contentType, image };
  await tx.db
    .insertInto('client_images')
    .values({ tenant_id: tx.tenantId, client_id: clientId, kind, ...values })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'client_id', 'kind']).doUpdateSet(values),
    )
    .execute();
}

async function deleteImage(tx: TenantTx, clientId: OAuthClientId, kind: LogoKind): Promise<void> {
  await deleteFrom(tx, 'client_images')
    .where('client_id', '=', clientId)
    .where('kind', '=', kind)
    .execute();
}

async function recordChange(
  tx: TenantTx,
  caller: Caller,
  clientId: OAuthClientId,
  changes: readonly BrandingChange[],
): Promise<void> {
  await record(tx, caller, {
    action: 'client.updated',
    target: { kind: 'client', id: clientId },
    details: { fields: changes.map(({ name }) => name), changes },
    events: [],
  });
}

function present(tx: TenantTx, clientId: OAuthClientId, stored: Stored): ClientBranding {
  return { tenant_id: tx.tenantId, client_id: clientId, ...stored };
}
