import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TARGET_KINDS } from '@keywright/contract/audit';
import { ROUTES } from '@keywright/contract/routes';
import * as forms from '../generated/facts.ts';
import { EN } from './en.ts';
import { keyOfName, wordsIn } from './fields.ts';
import { formatMessage } from './format.ts';
import { type Catalog, loadCatalog, LOCALES, type TextKey } from './locales.ts';

const FIELDS = Object.values(forms).flat();

/** Kinds whose choices are words of ours. Event types and algorithms are names in every language. */
const NAMES = new Set(['events', 'access_token_typ']);
const hasWords = (field: string) => !NAMES.has(field) && !field.endsWith('_alg');

function wordsOf(catalog: Catalog) {
  return wordsIn((key) =>
    key in catalog ? formatMessage('en', catalog[key as TextKey]) : undefined,
  );
}

/** The descriptions of the contract, at any depth. */
function descriptionsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, inner]) =>
    name === 'description' && typeof inner === 'string' ? [inner] : descriptionsIn(inner),
  );
}

it('The kinds of targets, of actors without an ID, and of the sources of access have a name in each language', () => {
  const names = [...TARGET_KINDS, 'anonymous', 'system', 'api_key', 'delegation', 'impersonation'];
  assert.deepEqual(
    names.filter((name) => keyOfName(name, EN) === undefined),
    [],
  );
});

describe('the texts of form fields', () => {
  for (const locale of LOCALES) {
    it(`Every form field has a label in ${locale}, and its choices have words`, async () => {
      const { labelOf, choiceOf } = wordsOf(await loadCatalog(locale));
      const unnamed = FIELDS.filter((field) => labelOf(field) === field.name);
      assert.deepEqual(
        unnamed.map(({ of, name }) => `field.${of}.${name}`),
        [],
      );
      const raw = FIELDS.filter(({ name }) => hasWords(name)).flatMap((field) =>
        (field.choices ?? [])
          .filter((choice) => choiceOf(field, choice) === choice)
          .map((choice) => `choice.${field.name}.${choice}`),
      );
      assert.deepEqual(raw, []);
    });
  }

  it('No text of a form is a description of the contract', () => {
    const descriptions = new Set(ROUTES.flatMap(({ body }) => descriptionsIn(body)));
    const plain = new Set([...descriptions].map((text) => text.replaceAll('`', '')));
    const texts = Object.entries(EN).filter(([key]) => /^(field|hint|choice)\./.test(key));
    assert.ok(plain.size > 100 && texts.length > 100);
    assert.deepEqual(
      texts.filter(([, text]) => typeof text === 'string' && plain.has(text)),
      [],
    );
    assert.ok(!/"(hint|description|label)":/.test(JSON.stringify(FIELDS)));
  });

  it('Every text of a form field belongs to a field', () => {
    const used = new Set(
      FIELDS.flatMap(({ of, name, choices = [] }) =>
        [
          ['field', 'hint'].flatMap((kind) => [`${kind}.${of}.${name}`, `${kind}.${name}`]),
          choices.map((choice) => `choice.${name}.${choice}`),
        ].flat(),
      ),
    );
    const unused = Object.keys(EN).filter(
      (key) => /^(field|hint|choice)\./.test(key) && !used.has(key),
    );
    assert.deepEqual(unused, []);
  });
});
