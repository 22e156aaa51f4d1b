import { Tabs } from '@base-ui/react/tabs';
import { useState } from 'react';
import { Fields, type FieldsProps } from './fields.tsx';
import type { FormSection } from './props.ts';

interface Props extends FieldsProps {
  readonly sections: readonly FormSection[];
}

/** The fields on tabs. All of them remain in the form, so that one button saves them. */
export function Sections({ sections, fields, present, wrong }: Props) {
  const [open, setOpen] = useState(0);
  const [before, setBefore] = useState(wrong);
  if (before !== wrong) {
    setBefore(wrong);
    // The first error must be visible.
    const index = sections.findIndex((section) => section.fields.some((name) => wrong.has(name)));
    if (index !== -1) setOpen(index);
  }
  return (
    <Tabs.Root value={open} onValueChange={(value: number) => setOpen(value)}>
      <Tabs.List className="form-tabs">
        {sections.map(({ title }, index) => (
          <Tabs.Tab key={title} value={index}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {sections.map(({ title, fields: names }, index) => (
        <Tabs.Panel key={title} value={index} keepMounted className="form">
          <Fields
            fields={names.flatMap((name) => fields.filter((field) => field.name === name))}
            present={present}
            wrong={wrong}
          />
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}
