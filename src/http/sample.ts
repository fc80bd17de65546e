/** Returns an example of a schema: its own example, or one built from its parts. */
import type { TSchema } from '@sinclair/typebox';

export function sampleOf(schema: TSchema): unknown {
  const [example] = (schema.examples as unknown[] | undefined) ?? [];
  if (example !== undefined) return example;
  const [alternative] = (schema['anyOf'] as TSchema[] | undefined) ?? [];
  if (alternative !== undefined) return sampleOf(alternative);
  const [choice] = (schema['enum'] as unknown[] | undefined) ?? [];
  if (choice !== undefined) return choice;
  switch (schema['type']) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema['properties'] as Record<string, TSchema>).map(([name, member]) => [
          name,
          sampleOf(member),
        ]),
      );
    case 'array':
      return schema['items'] === undefined ? [] : [sampleOf(schema['items'] as TSchema)];
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return 'texto';
  }
}
