import type { Fail } from '@keywright/contract/errors';
import { LOGO_KINDS, type LogoKind, MAX_LOGO_BYTES } from '@keywright/contract/records/logo';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { record } from '../../events/journal/index.ts';
import { checkImage, digestOf } from './image.ts';
import { findLogos, type LogoRow } from './store.ts';
import { deleteUpload, dropAddress, putUpload, type Upload } from './upload-store.ts';

/** Stores a file as a logo, in place of what is there: one of each kind, whoever uploads however often. */
export async function uploadLogo(
  data: TenantData,
  caller: Caller,
  { kind: named, image }: { readonly kind: string; readonly image: string },
  fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND'>,
): Promise<LogoRow> {
  const kind = kindOf(named) ?? fail('NOT_FOUND');
  const upload = { kind, ...requireImage(image, fail) };
  return data.transaction(async (tx) => {
    const had = await dropAddress(tx, kind);
    if ((await putUpload(tx, upload)) || had) await note(tx, caller, kind, upload);
    const stored = (await findLogos(tx)).find((one) => one.kind === kind);
    if (!stored) throw new Error(`The ${kind} was not stored.`);
    return stored;
  });
}

/** Deletes a logo, with its address if it has one. */
export async function removeLogo(
  data: TenantData,
  caller: Caller,
  named: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<LogoKind> {
  const kind = kindOf(named) ?? fail('NOT_FOUND');
  await data.transaction(async (tx) => {
    const had = await dropAddress(tx, kind);
    // With its address it is gone already.
    if (!(await deleteUpload(tx, kind)) && !had) fail('NOT_FOUND');
    await note(tx, caller, kind);
  });
  return kind;
}

function kindOf(text: string): LogoKind | undefined {
  return LOGO_KINDS.find((kind) => kind === text);
}

/** @throws AppError VALIDATION_FAILED for what is no image that a page may have */
function requireImage(text: string, fail: Fail<'VALIDATION_FAILED'>): Omit<Upload, 'kind'> {
  const image = Buffer.from(text, 'base64');
  const refuse = (message: string) =>
    fail('VALIDATION_FAILED', { errors: [{ path: '/image', message }] });
  // What decodes to the same bytes in two ways would not be known again.
  if (image.toString('base64') !== text) refuse('is no base64 with its padding');
  if (image.length > MAX_LOGO_BYTES) refuse('is larger than 256 KiB');
  const checked = checkImage(image);
  if ('objection' in checked) return refuse(checked.objection);
  return { contentType: checked.contentType, digest: digestOf(image), image };
}

async function note(tx: TenantTx, caller: Caller, kind: LogoKind, stored?: Upload): Promise<void> {
  tx.changed();
  const fields = ['branding'];
  const after = stored ? stored.digest.toString('hex') : null;
  await record(tx, caller, {
    action: 'tenant.updated',
    target: { kind: 'tenant', id: tx.tenantId },
    details: { fields, changes: [{ name: `branding.${kind}`, after }] },
    events: [{ type: 'tenant.updated', data: { fields } }],
  });
}
