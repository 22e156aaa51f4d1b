import type { BodyOf, OkOf } from '@keywright/contract/route';
import type { previewMessage } from '@keywright/contract/routes/messages';
import type { TenantData } from '../../../../tenancy/gate.ts';
import { brandIn } from '../brand.ts';
import { findSenderIn } from '../store.ts';
import { segmentsOf } from './segments.ts';
import { isSmsKind, renderSms } from './text.ts';
import { DUMMY_CODE } from './test-message.ts';

/** The text message of a kind as it would be sent; undefined: there is none. */
export async function previewSms(
  tenant: TenantData,
  issuer: string,
  { kind, locale }: Pick<BodyOf<typeof previewMessage>, 'kind' | 'locale'>,
): Promise<OkOf<typeof previewMessage>['sms']> {
  if (!isSmsKind(kind)) return undefined;
  const sender = await tenant.transaction(findSenderIn);
  if (!sender) return undefined;
  const values = { company: brandIn(sender, issuer).name, code: DUMMY_CODE };
  const wanted = [locale, ...(sender.config.locales ?? [])];
  const text = await renderSms(kind, wanted, values, sender.config.magic_link_url ?? issuer);
  return { text, segments: segmentsOf(text) };
}
