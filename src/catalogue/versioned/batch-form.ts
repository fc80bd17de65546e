/**
 * An item of a batch as the document shows it (contract sections 4 to 6): each is judged by the schema that its `situacao`
 * chooses, and stands here as a form of its own.
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

/** An item says its situation, but where it is the usual one. */
function shownItem({ schema, situacao, form, description, example }: ShownItem): TObject {
  const only = choice([situacao], `Sempre ${situacao} nesta forma.`, undefined, { 'x-any-case': true });
  const isUsual = situacao === 'ATIVADO';
  const said = { seq: 1, cpfCnpjRaiz: '12345678', ...(isUsual ? {} : { situacao }) };
  return t.Object(
    { ...schema.properties, situacao: isUsual ? t.Optional(only) : only },
    { ...itemOptions, 'x-form': form, description, examples: [{ ...said, ...example }] },
  );
}
