import type { Session } from '@keywright/sdk';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Time } from '../../parts/time.tsx';
import { directionOf } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.tsx';
import { deviceOf, partsOfDevice } from './device.ts';

const ICONS: Readonly<Record<string, IconName>> = {
  Android: 'smartphone',
  iOS: 'smartphone',
};

interface Props {
  readonly session: Session;
}

/** A session as a person knows it: the device, its address, and how long ago they signed in. */
export function SessionLine({ session }: Props) {
  const { device_info: device, auth_time: at } = session;
  const [, system = ''] = partsOfDevice(device.user_agent ?? '');
  return (
    <>
      <Icon name={ICONS[system] ?? 'monitor'} />
      <div className="grows">
        <DeviceName agent={device.user_agent} /> <bdi className="muted">{device.ip_address}</bdi>
      </div>
      <span className="muted">
        <Time at={at} />
      </span>
    </>
  );
}

/** Shows `Safari on macOS`. */
export function DeviceName({ agent }: { readonly agent: string | null }) {
  const { say, locale } = useTexts();
  if (!agent?.trim()) return say('unknownDevice');
  return (
    <bdi dir={directionOf(locale)} title={agent}>
      {deviceOf(agent, say)}
    </bdi>
  );
}
