import type { OAuthClient } from '@keywright/sdk';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Id } from '../../parts/id.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts, useWords } from '../../texts/texts.tsx';

export function ClientProperties({ client }: { readonly client: OAuthClient }) {
  const { say, name } = useTexts();
  const { labelOf, choiceOf } = useWords();
  const label = (field: string) => labelOf({ of: 'client', name: field });
  const choice = (field: string, value: string) => choiceOf({ of: 'client', name: field }, value);
  const yesOrNo = (value: boolean) => say(value ? 'yes' : 'no');
  return (
    <Card title={say('properties')}>
      <Facts
        rows={[
          [say('id'), <Id key="id" id={client.id} canCopy />],
          [say('kind'), choice('kind', client.kind)],
          [label('first_party'), yesOrNo(client.first_party)],
          [
            label('token_endpoint_auth_method'),
            choice('token_endpoint_auth_method', client.token_endpoint_auth_method),
          ],
          [say('redirectUris'), <Scopes key="redirects" scopes={client.redirect_uris} />],
          [
            label('post_logout_redirect_uris'),
            <Scopes key="logouts" scopes={client.post_logout_redirect_uris} />,
          ],
          [
            label('grant_types'),
            client.grant_types.map((grant) => choice('grant_types', grant)).join(', '),
          ],
          [say('scopes'), <Scopes key="scopes" scopes={client.scopes} />],
          [
            label('require_pkce'),
            client.require_pkce === null ? say('usual') : yesOrNo(client.require_pkce),
          ],
          [label('profile'), choice('profile', client.profile)],
          [name('created_by'), name(client.created_by)],
          [say('created'), <Time key="created" at={client.created_at} isWhole />],
          [say('lastUsed'), <Time key="used" at={client.last_used_at} isWhole />],
        ]}
      />
    </Card>
  );
}
