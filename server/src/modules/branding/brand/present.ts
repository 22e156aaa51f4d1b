import type { LogoRecord } from '@keywright/contract/records/logo';
import type { LogoRow } from './store.ts';

export function presentLogo({
  tenant_id,
  kind,
  url,
  status,
  reason,
  content_type,
  digest,
}: LogoRow) {
  return {
    tenant_id,
    kind: kind as LogoRecord['kind'],
    url,
    status: status as LogoRecord['status'],
    reason,
    content_type,
    sha256: digest?.toString('hex') ?? null,
  };
}
