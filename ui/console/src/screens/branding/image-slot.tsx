import { type DragEvent, type ReactNode, useId, useState } from 'react';
import type { Problem } from '../../api/problem.ts';
import type { RouteId } from '../../api/routes.ts';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { type ImageKind, MAX_IMAGE_BYTES, readFile } from './file.ts';

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
        <Upload {...{ kind, name, problem, onChoose }}>
          {shown}
          <span>{say(digest === undefined ? 'imageChoose' : 'imageReplace')}</span>
        </Upload>
      ) : (
        shown
      )}
      {note}
      {problem && !isRefusal(problem) && <ProblemNote problem={problem} route={route} />}
    </li>
  );
}

const isRefusal = (problem: Problem | null) => problem?.code === 'VALIDATION_FAILED';

interface UploadProps extends Pick<Props, 'kind' | 'problem'> {
  readonly name: string;
  readonly onChoose: (image: string) => void;
  readonly children: ReactNode;
}

function Upload({ kind, name, problem, onChoose, children }: UploadProps) {
  const { say, number } = useTexts();
  const id = useId();
  const [isTooLarge, setTooLarge] = useState(false);
  const choose = async (file: File | undefined) => {
    const isSmall = file !== undefined && file.size <= MAX_IMAGE_BYTES[kind];
    setTooLarge(file !== undefined && !isSmall);
    if (isSmall) onChoose((await readFile(file)).split(',', 2)[1] ?? '');
  };
  const size = number(MAX_IMAGE_BYTES[kind] / 1024);
  const wrong = wrongKey(isTooLarge, problem);
  return (
    <>
      <DropZone onDrop={(file) => void choose(file)}>
        {children}
        <input
          className="unseen"
          type="file"
          accept=".png,.jpg,.jpeg,.webp,.avif,.svg"
          aria-label={name}
          aria-invalid={wrong !== undefined || undefined}
          aria-describedby={id}
          onChange={({ target }) => {
            void choose(target.files?.[0]);
            // The same file can be chosen again.
            target.value = '';
          }}
        />
      </DropZone>
      <p id={id} className={wrong ? 'error' : 'unseen'} role={wrong && 'alert'}>
        {say(wrong ?? 'imageHint', { size })}
      </p>
    </>
  );
}

function wrongKey(isTooLarge: boolean, problem: Problem | null) {
  if (isTooLarge) return 'imageTooLarge';
  return isRefusal(problem) ? 'imageRefused' : undefined;
}

interface DropProps {
  readonly onDrop: (file: File | undefined) => void;
  readonly children: ReactNode;
}

function DropZone({ onDrop, children }: DropProps) {
  const [isOver, setOver] = useState(false);
  const drag = (event: DragEvent, isInside: boolean) => {
    event.preventDefault();
    setOver(isInside);
  };
  return (
    <label
      className={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => drag(event, true)}
      onDragLeave={(event) => drag(event, false)}
      onDrop={(event) => {
        drag(event, false);
        onDrop(event.dataTransfer.files[0]);
      }}
    >
      {children}
    </label>
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
