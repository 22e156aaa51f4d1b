import type { Tenant } from '@keywright/sdk';
import { tenantSms } from '../../generated/facts.ts';
import { Action } from '../../parts/action.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { ChangeCard } from '../shared/change-card.tsx';
import { SendTest } from './send-test.tsx';

interface Props {
  readonly record: Tenant;
}

/** The provider of text messages, and a first message through it. */
export function SmsProvider({ record }: Props) {
  const { say, locale } = useTexts();
  const { auth_token: _token, secret: _secret, ...present } = record.messaging.sms ?? {};
  const isSet = record.messaging.sms !== undefined;
  return (
    <div className="stack">
      <ChangeCard
        route="tenants.update"
        scope="write:logins"
        facts={tenantSms}
        params={{ tenant_id: record.id }}
        present={present}
        part="messaging/sms"
        title={say('smsProvider')}
        notes={<p className="muted">{say('smsProviderHint')}</p>}
      />
      {isSet && <Removal record={record} />}
      {isSet && <SendTest kind="login" locale={locale} />}
    </div>
  );
}

function Removal({ record: { id } }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  if (!can('write:logins')) return null;
  return (
    <div>
      <Action
        route="tenants.update"
        input={{ params: { tenant_id: id }, body: { messaging: { sms: null } } }}
        verb={say('smsProviderRemove')}
        title={say('smsProviderRemoveTitle')}
        done={say('smsProviderRemoved')}
      >
        <p>{say('smsProviderRemoveHint')}</p>
      </Action>
    </div>
  );
}
