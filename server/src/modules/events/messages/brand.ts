import { logoAt } from '../../branding/brand/index.ts';
import type { MailBrand } from './layout.ts';
import type { Sender } from './store.ts';

/** What the mails of a tenant look like. */
export function brandIn({ name, branding, logos }: Sender, issuer: string): MailBrand {
  const stored = logos.map(({ kind, digest }) => ({ kind, digest: Buffer.from(digest, 'hex') }));
  return {
    name: branding.company_name ?? name,
    branding,
    logo: logoAt(issuer.replace(/\/$/, ''), branding, stored),
  };
}
