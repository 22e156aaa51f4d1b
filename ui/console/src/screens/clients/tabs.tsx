import { Tabs } from '../../parts/tabs.tsx';
import { useTexts } from '../../texts/texts.tsx';

const TABS = [
  { id: '', title: 'clients', to: '/clients' },
  { id: 'tokens', title: 'registrationTokens', to: '/clients/registration-tokens' },
  { id: 'policy', title: 'policy', to: '/clients/policy' },
] as const;

/** The screens about all applications. */
export function ClientTabs({ current }: { readonly current: (typeof TABS)[number]['id'] }) {
  const { say } = useTexts();
  return <Tabs label={say('clients')} path="/clients" tabs={TABS} current={current} />;
}
