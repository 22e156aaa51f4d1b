import { Address } from './address.tsx';
import { Avatar } from './avatar.tsx';

interface Props {
  readonly id: string;
  readonly name: string;
  /** Below the name */
  readonly about?: string | undefined;
  readonly picture?: string | null;
  /** Of an application or an agent */
  readonly isSquare?: boolean;
}

/** A face and a name, in a list. */
export function Person({ id, name, about, picture, isSquare = false }: Props) {
  return (
    <>
      <Avatar id={id} name={name} picture={picture} isSquare={isSquare} />
      <span className="two-lines">
        <Address text={name} />
        {about !== undefined && about !== name && (
          <small>
            <Address text={about} />
          </small>
        )}
      </span>
    </>
  );
}
