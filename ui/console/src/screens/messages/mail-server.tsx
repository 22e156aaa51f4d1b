import type { Tenant } from '@keywright/sdk';
import { tenantMail } from '../../generated/facts.ts';
import { Action } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { SendTest } from './send-test.tsx';
import { ChangeCard } from '../shared/change-card.tsx';
import { hasMailServer } from '../shared/mail.ts';

const FIELDS = [
  'smtp_host',
  'smtp_port',
  'smtp_security',
  'smtp_username',
  'smtp_password',
  'from_address',
  'from_name',
  'reply_to',
];

interface Props {
  readonly record: Tenant;
}

/** The tenant's mail server, and a first email through it. */
export function MailServer({ record }: Props) {
  const { say, locale } = useTexts();
  // A secret that is left empty remains unchanged.
  const { smtp_password: password, ...present } = record.messaging.email ?? {};
  return (
    <div className="stack">
      <Card title={say('mail')} actions={<TakeBack record={record} />}>
        <div className="stack narrow">
          <p>{say(hasMailServer(record.messaging) ? 'mailOwn' : 'mailNone')}</p>
          {password !== undefined && <p className="muted">{say('mailPasswordKept')}</p>}
        </div>
      </Card>
      <ChangeCard
        route="tenants.update"
        scope="write:logins"
        facts={tenantMail}
        fields={FIELDS}
        params={{ tenant_id: record.id }}
        present={present}
        part="messaging/email"
      />
      <SendTest kind="login" locale={locale} />
    </div>
  );
}

function TakeBack({ record: { id, messaging } }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  if (messaging.email === undefined || !can('write:logins')) return null;
  return (
    <Action
      route="tenants.update"
      input={{ params: { tenant_id: id }, body: { messaging: { email: null } } }}
      verb={say('mailTakeBack')}
      title={say('mailTakeBackTitle')}
      done={say('mailTakenBack')}
    >
      <p>{say('mailTakeBackHint')}</p>
    </Action>
  );
}
