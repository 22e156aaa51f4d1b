import type { MessageKind } from '@keywright/contract/messages';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { MessageText } from './render.ts';
import type { OwnText } from './texts/texts.ts';

function templates(tx: TenantTx, kind: MessageKind) {
  return tx.db
    .selectFrom('message_templates')
    .where('tenant_id', '=', tx.tenantId)
    .where('kind', '=', kind);
}

export function findTemplates(tx: TenantTx, kind: MessageKind): Promise<OwnText[]> {
  return templates(tx, kind).select(['locale', 'subject', 'text']).execute();
}

export async function findDomains(tx: TenantTx): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('tenant_domains')
    .select('domain')
    .where('tenant_id', '=', tx.tenantId)
    .execute();
  return rows.map((row) => row.domain);
}

export async function putTemplate(
  tx: TenantTx,
  kind: MessageKind,
  locale: string,
  { subject, text }: MessageText,
): Promise<void> {
  await tx.db
    .insertInto('message_templates')
    .values({ tenant_id: tx.tenantId, kind, locale, subject, text, updated_at: tx.now })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'kind', 'locale']).doUpdateSet((eb) => ({
        subject,
        text,
        updated_at: tx.now,
        version: eb('message_templates.version', '+', 1),
      })),
    )
    .execute();
}

export async function deleteTemplate(
  tx: TenantTx,
  kind: MessageKind,
  locale: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('message_templates')
    .where('tenant_id', '=', tx.tenantId)
    .where('kind', '=', kind)
    .where('locale', '=', locale)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
