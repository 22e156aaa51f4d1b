import type { Tenant } from '@keywright/sdk';
import { useRef, useState } from 'react';
import { tenantMail } from '../../generated/facts.ts';
import { Action } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Select } from '../../parts/form/select.tsx';
import { type Body, partOf } from '../../parts/form/values.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useCaller } from '../../shell/caller.tsx';
import {
  EMAIL_SERVICES,
  type EmailService,
  nameOfService,
  serviceOf,
  settingsOfService,
} from './email-services.ts';
import { SendTest } from './send-test.tsx';
import { ChangeCard } from '../shared/change-card.tsx';

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

const DELIVERY = {
  tenant: 'mailOwn',
  installation: 'mailOperator',
  development: 'mailDevelopment',
  none: 'mailNone',
} as const;

interface Props {
  readonly record: Tenant;
}

/** The tenant's mail server, and an email through it, which can be sent before it is saved. */
export function MailServer({ record }: Props) {
  const { say, locale } = useTexts();
  const [draft, setDraft] = useState<Body>({});
  // A secret that is left empty remains unchanged.
  const { smtp_password: password, ...present } = record.messaging.email ?? {};
  const typed = partOf(draft, 'messaging/email');
  const isTyped = Object.keys(typed).length > 0;
  const settings = Object.entries({ ...present, ...typed }).filter(([, value]) => value !== null);
  return (
    <div className="stack">
      <Card title={say('mail')} actions={<TakeBack record={record} />}>
        <div className="stack narrow">
          <p>{say(DELIVERY[record.email_delivery])}</p>
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
        title={say('mailSettings')}
        notes={<ServiceChoice present={present} />}
        onDraft={setDraft}
      />
      <SendTest
        kind="login"
        locale={locale}
        {...(isTyped && { email: Object.fromEntries(settings) })}
      />
    </div>
  );
}

type Email = NonNullable<Tenant['messaging']['email']>;

/** Fills in the settings of a well-known service. */
function ServiceChoice({ present }: { readonly present: Email }) {
  const { say } = useTexts();
  const [service, setService] = useState<EmailService | 'other'>(serviceOf(present) ?? 'other');
  const place = useRef<HTMLDivElement>(null);
  const choose = (chosen: EmailService | 'other') => {
    setService(chosen);
    const form = place.current?.parentElement?.querySelector('form');
    if (chosen === 'other' || !form) return;
    for (const [name, value] of Object.entries(settingsOfService(chosen))) {
      const control = form.elements.namedItem(name);
      if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) {
        control.value = value;
      }
    }
    // The form reads its fields on input events.
    form.dispatchEvent(new Event('input', { bubbles: true }));
  };
  return (
    <div className="field" ref={place}>
      <Select
        label={say('emailService')}
        value={service}
        choices={[
          ['other', say('emailService.other')],
          ...EMAIL_SERVICES.map((name) => [name, nameOfService(name)] as const),
        ]}
        onChoose={choose}
      />
      {service !== 'other' && (
        <p className="hint" role="status">
          {say(`service.${service}`)}
        </p>
      )}
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
