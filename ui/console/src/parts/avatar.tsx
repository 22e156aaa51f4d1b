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

/** The face of a user, or the initials. */
export function Avatar({ id, name, picture, isSquare = false }: Props) {
  return (
    <span className={`avatar tint-${tintOf(id)}${isSquare ? ' square' : ''}`} aria-hidden="true">
      {picture ? <img src={picture} alt="" loading="lazy" /> : initialsOf(name)}
    </span>
  );
}
