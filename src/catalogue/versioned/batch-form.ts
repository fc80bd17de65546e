/**
 * Schema of a batch item for the API document (contract sections 4 to 6): the `situacao` of an item selects
 * its schema, and the document shows each as a separate form.
 */
import { type TObject, Type as t } from '@sinclair/typebox';
import { itemOptions } from '../model.ts';
import { choice } from '../../validation/forms.ts';
import type { Situacao } from './model.ts';

export interface ShownItem {
  readonly schema: TObject;
  readonly situacao: Situacao;
  readonly form: string;
  readonly description: string;
  readonly example: object;
}

export const batchItem = (form: string, description: string, items: readonly ShownItem[]) =>
  t.Union(items.map(shownItem), { 'x-form': form, description });

/** An item states its situation, except the default one. */
function shownItem({ schema, situacao, form, description, example }: ShownItem): TObject {
  const only = choice([situacao], `Sempre ${situacao} nesta forma.`, undefined, { 'x-any-case': true });
  const isUsual = situacao === 'ATIVADO';
  const head = { seq: 1, cpfCnpjRaiz: '12345678', ...(isUsual ? {} : { situacao }) };
  return t.Object(
    { ...schema.properties, situacao: isUsual ? t.Optional(only) : only },
    { ...itemOptions, 'x-form': form, description, examples: [{ ...head, ...example }] },
  );
}
