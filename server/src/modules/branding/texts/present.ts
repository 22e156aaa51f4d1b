import type { TextRecord } from '@keywright/contract/records/text';
import type { TenantId } from '@keywright/contract/ids';
import type { TextLocale } from '@keywright/contract/locale';
import { isFixed } from '../../../platform/texts/fixed.ts';
import type { TextKey } from '../../../platform/texts/keys.ts';
import { parseMessage } from '../../../platform/texts/message.ts';
import { namesIn } from '../../../platform/texts/usable.ts';

interface Shipped {
  readonly locale: TextLocale;
  readonly key: TextKey;
  readonly usual: string;
  readonly english: string;
}

/** @param own that of the tenant */
export function presentText(
  { tenantId }: { readonly tenantId: TenantId },
  { locale, key, usual, english }: Shipped,
  own: string | undefined,
): TextRecord {
  const { placeholders, tags } = namesIn(parseMessage(usual));
  return {
    tenant_id: tenantId,
    locale,
    key,
    default: usual,
    english,
    text: own ?? null,
    placeholders: [...placeholders],
    tags: [...tags],
    is_fixed: isFixed(key),
  };
}
