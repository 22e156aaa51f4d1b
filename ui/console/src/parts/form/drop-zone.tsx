import { type DragEvent, type ReactNode, useState } from 'react';

interface Props {
  readonly onDrop: (file: File | undefined) => void;
  /** Contains the control that chooses a file. */
  readonly children: ReactNode;
}

/** A place where a file can be dropped, and whose control a press opens. */
export function DropZone({ onDrop, children }: Props) {
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
        if (event.currentTarget.querySelector(':disabled') === null) {
          onDrop(event.dataTransfer.files[0]);
        }
      }}
    >
      {children}
    </label>
  );
}
