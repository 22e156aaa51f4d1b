import type { Tenant } from '@keywright/sdk';
import { useState } from 'react';
import { tenantSms } from '../../generated/facts.ts';
import { Action } from '../../parts/action.tsx';
import { type Body, partOf } from '../../parts/form/values.ts';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { ChangeCard } from '../shared/change-card.tsx';
import { SendTest } from './send-test.tsx';

interface Props {
  readonly record: Tenant;
}

const ACCOUNT = ['provider', 'account_sid', 'auth_token', 'from', 'url'];
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  twilio: ACCOUNT,
  vonage: ACCOUNT,
  webhook: ['provider', 'url', 'secret'],
};

function fieldsOf(provider: unknown): readonly string[] {
  return FIELDS[String(provider)] ?? ['provider'];
}

/** The provider of text messages, and a first message through it. */
export function SmsProvider({ record }: Props) {
  const { say, locale } = useTexts();
  const { sms = {} } = record.messaging;
  const { auth_token: _token, secret: _secret, ...present } = sms;
  const isSet = record.messaging.sms !== undefined;
  const [draft, setDraft] = useState<Body>({});
  const { provider = present.provider } = partOf(draft, 'messaging/sms');
  const isAnother = provider !== present.provider;
  // Another provider needs no value of the previous one, and the service asks for stored secrets again.
  const removed = isAnother ? Object.keys(sms).filter((name) => name !== 'provider') : [];
  return (
    <div className="stack">
      <ChangeCard
        route="tenants.update"
        scope="write:logins"
        facts={tenantSms}
        fields={fieldsOf(provider)}
        fixed={Object.fromEntries(removed.map((name) => [name, null]))}
        params={{ tenant_id: record.id }}
        present={isAnother ? { provider: present.provider } : present}
        part="messaging/sms"
        title={say('smsProvider')}
        notes={<p className="muted">{say('smsProviderHint')}</p>}
        onDraft={setDraft}
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
