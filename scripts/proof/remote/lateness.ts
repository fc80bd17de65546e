/** What the remote did more than a minute after it was asked: nobody can prevent that, and nothing else excuses a second one. */
import { MINUTE_MS } from '../../../src/clock.ts';
import type { Standing } from './catalogue.ts';
import { COMPANY, type Side } from './sides.ts';
import type { Passage } from './witness.ts';

const LATE_MS = MINUTE_MS;
/** Whose requests the drill looks at. */
const ASKER = '00000000191';
const PATHS = { produto: '/appliance/api/products', operador: '/appliance/api/foreign-operators' } as const;

export interface Version {
  readonly versao: string;
  readonly situacao: string;
  readonly madeAt: string;
  readonly madeBy: string;
  readonly deactivatedAt: string | null;
  readonly deactivatedBy: string | null;
  readonly changes: readonly object[];
}

export async function versionsThere(there: Side, { kind, codigo }: Standing): Promise<Version[]> {
  const path = `${PATHS[kind]}/${COMPANY}/${codigo}/versions`;
  return there.done<Version[]>('demo2', 'GET', path);
}

/** The requests that wrote a record: by its name in the body, or its code in the path. */
export function writesOf(passages: readonly Passage[], name: string, { kind, codigo }: Standing): Passage[] {
  const inBody = `"${kind === 'produto' ? 'denominacao' : 'nome'}":${JSON.stringify(name)}`;
  const inPath = new RegExp(`/(produto|operador-estrangeiro)/.*/${codigo}(/|$)`);
  const operations = kind === 'produto' ? PRODUCT_WRITES : OPERATOR_WRITES;
  return passages.filter(
    ({ operation, body, path }) => operations.has(operation) && (body.includes(inBody) || inPath.test(path)),
  );
}

const PRODUCT_WRITES: ReadonlySet<string> = new Set([
  'includeProduct',
  'newProductVersion',
  'deactivateProduct',
]);
const OPERATOR_WRITES: ReadonlySet<string> = new Set([
  ...['includeForeignOperator', 'newForeignOperatorVersion', 'deactivateForeignOperator'],
]);

/** Whether nobody asked for what was done then within the minute before. */
export function isLate(writes: readonly Passage[], at: string, by: string): boolean {
  const done = Date.parse(at);
  return by === ASKER && !writes.some((one) => one.since <= done && done - one.since < LATE_MS);
}
