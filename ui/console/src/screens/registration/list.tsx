import type { RegistrationToken } from '@keywright/sdk';
import { Action } from '../../parts/action.tsx';
import { Page } from '../../parts/page.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { ClientTabs } from '../clients/tabs.tsx';
import { CreateLink } from '../shared/create-link.tsx';

const COLUMNS: readonly Column<RegistrationToken>[] = [
  { title: 'name', cell: ({ name }) => <bdi>{name}</bdi> },
  { title: 'tokenUses', cell: ({ uses }) => <Count value={uses} /> },
  { title: 'expires', cell: ({ expires_at: at }) => <Time at={at} /> },
  { title: 'scopes', cell: ({ scopes }) => <Scopes scopes={scopes ?? []} most={3} /> },
  { title: 'created', cell: ({ created_at: at }) => <Time at={at} /> },
];

/** The tokens that others use to register applications. */
export function RegistrationTokenList() {
  const { say } = useTexts();
  return (
    <Page
      title={say('registrationTokens')}
      about={say('registrationTokensHint')}
      actions={
        <CreateLink
          scope="write:clients"
          to="/clients/registration-tokens/new"
          title="registrationTokenCreate"
        />
      }
    >
      <ClientTabs current="tokens" />
      <Table
        route="clients.list_registration_tokens"
        label={say('registrationTokens')}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        actions={{ nameOf: ({ name }) => name, items: (token) => <Revocation token={token} /> }}
        emptyTitle={say('registrationTokensEmptyTitle')}
        start={
          <CreateLink
            scope="write:clients"
            to="/clients/registration-tokens/new"
            title="registrationTokenCreate"
            kind="plain"
          />
        }
        guide="let-others-register"
        empty={<p>{say('registrationTokensEmpty')}</p>}
      />
    </Page>
  );
}

function Count({ value }: { readonly value: number }) {
  return useTexts().number(value);
}

function Revocation({ token: { id, name } }: { readonly token: RegistrationToken }) {
  const { say } = useTexts();
  const { can } = useCaller();
  if (!can('delete:clients')) return null;
  return (
    <Action
      route="clients.delete_registration_token"
      input={{ params: { token_id: id } }}
      icon="ban"
      verb={say('revoke')}
      title={say('revokeTitle', { name })}
      done={say('revoked', { name })}
    >
      <p>{say('registrationTokenRevokeHint')}</p>
    </Action>
  );
}
