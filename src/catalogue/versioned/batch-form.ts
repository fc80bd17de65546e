/** Builds the form of a batch item for the API document. */
import type { TObject } from '@sinclair/typebox';
import { itemOptions } from '../model.ts';
import { t } from '../../validation/type.ts';

interface BatchItem {
  readonly form: string;
  readonly description: string;
  /** The members that an item of any situation has. */
  readonly required: readonly string[];
  /** One example for each situation. */
  readonly examples: readonly object[];
}

/**
 * Returns one form for all situations. The description says what each requires: of alternatives, generators of
 * strict languages create one class, which fits only one of them.
 */
export const batchItem = (
  { properties }: TObject,
  { form, description, required, examples }: BatchItem,
): TObject =>
  t.Object(
    Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [
        name,
        required.includes(name) ? member : t.Optional(member),
      ]),
    ),
    {
      ...itemOptions,
      'x-form': form,
      description,
      examples: examples.map((example) => ({ seq: 1, cpfCnpjRaiz: '12345678', ...example })),
    },
  );
