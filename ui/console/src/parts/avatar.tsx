import { initialsOf, tintOf } from '@keywright/contract/face';

interface Props {
  /** Decides the tint. */
  readonly id: string;
  /** A name or an address, which is also shown next to the avatar. */
  readonly name: string;
  readonly picture?: string | null | undefined;
  /** Of an organization, an application or an agent */
  readonly isSquare?: boolean;
}

const UPLOADED = /^\/t\/[^/]+\/pictures\/[0-9a-f]{64}$/;

/**
 * Returns the address of a picture at this origin; undefined for pictures of other sites, which the console never loads.
 * An uploaded picture has the host of its upload, which can be another one of this service.
 */
function addressOf(picture: string): string | undefined {
  const { origin, pathname } = URL.parse(picture, location.origin) ?? {};
  if (origin === location.origin) return picture;
  return pathname !== undefined && UPLOADED.test(pathname) ? pathname : undefined;
}

/** The face of a user, or the initials. */
export function Avatar({ id, name, picture, isSquare = false }: Props) {
  const address = picture ? addressOf(picture) : undefined;
  return (
    <span className={`avatar tint-${tintOf(id)}${isSquare ? ' square' : ''}`} aria-hidden="true">
      {address ? <img src={address} alt="" loading="lazy" /> : initialsOf(name)}
    </span>
  );
}
