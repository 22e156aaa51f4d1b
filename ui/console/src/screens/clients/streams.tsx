import type { ClientStream } from '@keywright/sdk';
import { Action } from '../../parts/action.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { State, type Tone } from '../../parts/state.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';

const TONES: Readonly<Record<ClientStream['status'], Tone>> = {
  enabled: 'ok',
  paused: 'brass',
  disabled: 'bad',
};

const COLUMNS: readonly Column<ClientStream>[] = [
  {
    title: 'streamTo',
    cell: ({ endpoint_url: url, description }) => <Receiver url={url} description={description} />,
  },
  { title: 'state', cell: (stream) => <StreamState stream={stream} /> },
  { title: 'events', cell: ({ events }) => <Scopes scopes={events} most={3} /> },
  { title: 'created', cell: ({ created_at: at }) => <Time at={at} /> },
  { title: 'tools', cell: (stream) => <Tools stream={stream} /> },
];

/** Streams of shared signals that the client has created as their receiver. */
export function ClientStreams({ clientId }: { readonly clientId: string }) {
  const { say } = useTexts();
  return (
    <Table
      route="clients.list_streams"
      label={say('streams')}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      params={{ client_id: clientId }}
      guide="shared-signals"
      empty={<p>{say('streamsEmpty')}</p>}
    />
  );
}

interface Props {
  readonly stream: ClientStream;
}

function Receiver({
  url,
  description,
}: {
  readonly url: string | null;
  readonly description: string | null;
}) {
  const { say } = useTexts();
  return (
    <>
      <bdi>{url ?? say('streamPolled')}</bdi>
      {description !== null && (
        <span className="muted">
          {' '}
          <bdi>{description}</bdi>
        </span>
      )}
    </>
  );
}

function StreamState({ stream: { status, failing_since: since, status_reason: reason } }: Props) {
  const { say } = useTexts();
  return (
    <>
      <State
        word={since === null ? say(`stream.${status}`) : say('failing')}
        tone={since === null ? TONES[status] : 'bad'}
      />
      {reason !== null && (
        <span className="muted">
          {' '}
          <bdi>{reason}</bdi>
        </span>
      )}
    </>
  );
}

const paramsOf = ({ client_id, id }: ClientStream) => ({ client_id, stream_id: id });

function Tools({ stream }: Props) {
  const { can } = useCaller();
  return (
    <span className="actions">
      {can('write:clients') && <Switch stream={stream} />}
      {can('delete:clients') && <Deletion stream={stream} />}
    </span>
  );
}

function Switch({ stream }: Props) {
  const { say } = useTexts();
  const isOn = stream.status === 'enabled';
  return (
    <Action
      route="clients.update_stream"
      input={{ params: paramsOf(stream), body: { status: isOn ? 'paused' : 'enabled' } }}
      verb={say(isOn ? 'streamPause' : 'enable')}
      title={say(isOn ? 'streamPauseTitle' : 'streamEnableTitle')}
      done={say(isOn ? 'streamPausedDone' : 'streamEnabledDone')}
      isBad={false}
      isSmall
    >
      <p>{say(isOn ? 'streamPauseHint' : 'streamEnableHint')}</p>
    </Action>
  );
}

function Deletion({ stream }: Props) {
  const { say } = useTexts();
  return (
    <Action
      route="clients.delete_stream"
      input={{ params: paramsOf(stream) }}
      icon="trash-2"
      verb={say('delete')}
      title={say('streamDeleteTitle')}
      done={say('streamDeleted')}
      isSmall
    >
      <p>{say('streamDeleteHint')}</p>
    </Action>
  );
}
