import { type ReactNode, useId, useState } from 'react';
import type { Problem } from '../../api/problem.ts';
import { DropZone } from '../../parts/form/drop-zone.tsx';
import type { TextKey } from '../../texts/locales.ts';
import { useTexts } from '../../texts/texts.tsx';

interface Props {
  readonly name: string;
  /** The extensions of files that can be chosen. */
  readonly accept: string;
  readonly maxBytes: number;
  /** The accepted files, for screen readers. Its placeholder is the size in KiB. */
  readonly hint: TextKey;
  /** Shown after the service has rejected a file. */
  readonly refusal: TextKey;
  readonly problem: Problem | null;
  /** Whether the file replaces an image. */
  readonly isSet: boolean;
  /** Called with the file in base64. */
  readonly onChoose: (image: string) => void;
  /** The image. */
  readonly children: ReactNode;
}

/** Whether the service rejected the file, which is shown at its field. */
export const isRefusedImage = (problem: Problem | null) => problem?.code === 'VALIDATION_FAILED';

/** A place where an image can be dropped or chosen. */
export function ImageUpload(props: Props) {
  const { name, accept, maxBytes, hint, refusal, problem, isSet, onChoose, children } = props;
  const { say, number } = useTexts();
  const id = useId();
  const [isTooLarge, setTooLarge] = useState(false);
  const choose = async (file: File | undefined) => {
    const isSmall = file !== undefined && file.size <= maxBytes;
    setTooLarge(file !== undefined && !isSmall);
    if (isSmall) onChoose((await readFile(file)).split(',', 2)[1] ?? '');
  };
  const refused = isRefusedImage(problem) ? refusal : undefined;
  const wrong = isTooLarge ? 'imageTooLarge' : refused;
  return (
    <>
      <DropZone onDrop={(file) => void choose(file)}>
        {children}
        <span>{say(isSet ? 'imageReplace' : 'imageChoose')}</span>
        <input
          className="unseen"
          type="file"
          accept={accept}
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
        {say(wrong ?? hint, { size: number(maxBytes / 1024) })}
      </p>
    </>
  );
}

/** @returns a `data:` URL with the content of a file, in base64 */
function readFile(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      if (typeof reader.result === 'string') resolve(reader.result);
    });
    reader.addEventListener('error', () => reject(reader.error ?? new Error('It was not read.')));
    reader.readAsDataURL(file);
  });
}
