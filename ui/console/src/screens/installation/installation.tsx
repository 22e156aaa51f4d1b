import type { Installation } from '@keywright/sdk';
import { useCall } from '../../api/queries.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { State } from '../../parts/state.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { NodeTable } from './nodes.tsx';
import { QueueTable } from './queues.tsx';

/** Shows the running installation to system administrators. */
export function InstallationState() {
  const { say } = useTexts();
  const query = useCall(useTenant(), 'installation.get', {});
  return (
    <Loaded query={query} route="installation.get" rows={12} isScreen>
      {(installation) => (
        <Page title={say('installation')} about={say('installationHint')}>
          <div className="stack">
            <Database installation={installation} />
            <Card title={say('nodes')}>
              <div className="stack">
                <p className="muted">{say('nodesHint')}</p>
                <NodeTable nodes={installation.nodes} />
              </div>
            </Card>
            <Card title={say('queues')}>
              <QueueTable queues={installation.queues} />
            </Card>
            <ApiCall route="installation.get" input={{}} />
          </div>
        </Page>
      )}
    </Loaded>
  );
}

function Database({ installation }: { readonly installation: Installation }) {
  const { say, number } = useTexts();
  const { database, schema, version } = installation;
  const { migrations, latest, is_ahead: isAhead } = schema;
  return (
    <Card title={say('database')}>
      <Facts
        rows={[
          [
            say('database'),
            database.engine === 'embedded' ? (
              say('engine.embedded', { version: database.version })
            ) : (
              <bdi key="database">{say('engine.postgresql', { version: database.version })}</bdi>
            ),
          ],
          [
            say('schema'),
            <State
              key="schema"
              word={say(isAhead ? 'schemaAhead' : 'schemaCurrent')}
              tone={isAhead ? 'brass' : 'ok'}
            />,
          ],
          [say('migrations'), number(migrations)],
          [
            say('latestMigration'),
            <bdi key="latest" className="mono">
              {latest}
            </bdi>,
          ],
          [say('answeredBy'), <bdi key="version">{version}</bdi>],
        ]}
      />
    </Card>
  );
}
