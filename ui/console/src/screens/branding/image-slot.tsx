import type { ReactNode } from 'react';
import type { Problem } from '../../api/problem.ts';
import type { RouteId } from '../../api/routes.ts';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { ImageUpload, isRefusedImage } from '../shared/image-upload.tsx';
import { type ImageKind, MAX_IMAGE_BYTES } from '../shared/image-limits.ts';

interface Props {
  readonly kind: ImageKind;
  /** Of the stored image. */
  readonly digest: string | undefined;
  readonly note?: ReactNode;
  readonly isBusy: boolean;
  readonly problem: Problem | null;
  readonly route: RouteId;
  /** Called with the file in base64; undefined: the caller may not change it. */
  readonly onChoose: ((image: string) => void) | undefined;
  readonly deletion: ReactNode;
}

/** An image, and a place where another file can be dropped or chosen. It is stored immediately. */
export function ImageSlot(props: Props) {
  const { kind, digest, note, isBusy, problem, route, onChoose, deletion } = props;
  const { say } = useTexts();
  const name = say(`logo.kind.${kind}`);
  const shown = <Shown digest={digest} name={name} isBusy={isBusy} />;
  return (
    <li className="image-slot">
      <div className="slot-head">
        <strong>{name}</strong>
        {deletion}
      </div>
      {onChoose ? (
        <ImageUpload
          name={name}
          accept=".png,.jpg,.jpeg,.webp,.avif,.svg"
          maxBytes={MAX_IMAGE_BYTES[kind]}
          hint="imageHint"
          refusal="imageRefused"
          problem={problem}
          isSet={digest !== undefined}
          onChoose={onChoose}
        >
          {shown}
        </ImageUpload>
      ) : (
        shown
      )}
      {note}
      {problem && !isRefusedImage(problem) && <ProblemNote problem={problem} route={route} />}
    </li>
  );
}

interface ShownProps {
  readonly digest: string | undefined;
  readonly name: string;
  readonly isBusy: boolean;
}

/** Shows an image as the pages load it: with `<img>`, where no image can run scripts. */
function Shown({ digest, name, isBusy }: ShownProps) {
  const tenant = useTenant();
  if (digest === undefined) return <Icon name={isBusy ? 'clock' : 'upload'} />;
  const source = `/t/${encodeURIComponent(tenant)}/brand/${digest}`;
  return <img className="logo" src={source} alt={name} height={40} />;
}
