import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { SessionTable } from '../shared/session-table.tsx';

export function SessionList() {
  const { say } = useTexts();
  return (
    <Page title={say('sessions')}>
      <SessionTable />
    </Page>
  );
}
