import { type MessageKind, MESSAGE_KIND_NAMES } from '@keywright/contract/messages';
import type { Tenant } from '@keywright/sdk';
import type { ReactNode } from 'react';
import { useCall } from '../../api/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Place } from '../../parts/place.tsx';
import { Tabs, useTab } from '../../parts/tabs.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { MessageLog } from './log.tsx';
import { MailServer } from './mail-server.tsx';
import { SmsProvider } from './sms-provider.tsx';
import { SuppressionTable } from './suppressions.tsx';

const TABS = [
  { id: '', title: 'templates' },
  { id: 'log', title: 'messageLog' },
  { id: 'suppressions', title: 'suppressions' },
  { id: 'server', title: 'mail' },
  { id: 'sms', title: 'smsProvider' },
] as const;

export function Messages() {
  const { say } = useTexts();
  return (
    <Page title={say('messages')} about={say('messagesHint')}>
      <Tabs label={say('messages')} path="/messages" tabs={TABS} />
      <Open />
    </Page>
  );
}

function Open() {
  switch (useTab()) {
    case 'log':
      return <MessageLog />;
    case 'suppressions':
      return <SuppressionTable />;
    case 'server':
      return <Server>{(record) => <MailServer record={record} />}</Server>;
    case 'sms':
      return <Server>{(record) => <SmsProvider record={record} />}</Server>;
    default:
      return <Templates />;
  }
}

interface ServerProps {
  readonly children: (record: Tenant) => ReactNode;
}

function Server({ children }: ServerProps) {
  const tenant = useTenant();
  const query = useCall(tenant, 'tenants.get', { params: { tenant_id: tenant } });
  return (
    <Loaded query={query} route="tenants.get">
      {children}
    </Loaded>
  );
}

const isNotice = (kind: MessageKind) => kind.startsWith('notice.');

/** The message templates: codes and links that a user requested, and notices that report an event. */
function Templates() {
  const { say } = useTexts();
  return (
    <div className="stack">
      <Kinds
        title={say('messagesAsked')}
        kinds={MESSAGE_KIND_NAMES.filter((kind) => !isNotice(kind))}
      />
      <Kinds title={say('messagesNotices')} kinds={MESSAGE_KIND_NAMES.filter(isNotice)} />
    </div>
  );
}

interface KindsProps {
  readonly title: string;
  readonly kinds: readonly MessageKind[];
}

function Kinds({ title, kinds }: KindsProps) {
  const { say } = useTexts();
  return (
    <section className="card">
      <h2>{title}</h2>
      <ul className="kinds">
        {kinds.map((kind) => (
          <li key={kind}>
            <Place to={`/messages/${kind}`}>{say(`message.${kind}`)}</Place>
          </li>
        ))}
      </ul>
    </section>
  );
}
