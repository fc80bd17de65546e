/** Values of existing records, so that an example works when it is sent. */
import type { ExampleValues } from './request.ts';
import type { ExampleSource, Trial } from './trial.ts';

/** Reads the values from a list response of either form. */
export function valuesOfFirstRow({ members }: ExampleSource, answer: unknown): ExampleValues {
  const rows = Array.isArray(answer) ? answer : ((answer as { items?: unknown[] } | undefined)?.items ?? []);
  const first = (rows[0] ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(members)
      .filter(([, member]) => first[member] != null)
      .map(([name, member]) => [name, String(first[member])]),
  );
}

/** Returns the path of the current record: its content is the example of a change. */
export function recordPathOf(
  { method, path, body }: Trial,
  exampleValues: ExampleValues,
): string | undefined {
  const { cpfCnpjRaiz, codigo, versao, codigoPais } = exampleValues;
  const isChange = method === 'PUT' && path.includes('{codigo}') && body.kind !== 'none';
  if (!isChange || cpfCnpjRaiz === undefined || codigo === undefined || versao === undefined)
    return undefined;
  const [kind, country] = path.includes('/operador-estrangeiro/')
    ? ['operador-estrangeiro', codigoPais]
    : ['produto', undefined];
  const steps = [cpfCnpjRaiz, country, codigo, versao].flatMap((step) => step ?? []);
  return `/catp/api/ext/${[kind, ...steps.map(encodeURIComponent)].join('/')}`;
}
