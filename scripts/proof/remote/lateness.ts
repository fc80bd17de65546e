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

export interface Made {
  readonly codigo: string;
  readonly version: Version;
}

/**
 * The versions of one name that were made, or ended, more than a minute after they were asked for. Each request makes one: those
 * that were answered say which, and of the others each one that was made within its minute.
 */
export function latesOf(made: readonly Made[], writes: readonly Passage[]): Made[] {
  const left = new Set(writes);
  const lates: Made[] = [];
  const unsaid = made.filter(({ codigo, version }) => {
    if (version.madeBy !== ASKER) return false;
    const said = [...left].find((one) => says(one, codigo, version.versao));
    return said === undefined || !left.delete(said);
  });
  for (const one of unsaid) {
    const own = [...left].find((write) => isInTime(write, one.version.madeAt) && !isToldOf(write));
    if (own === undefined || !left.delete(own)) lates.push(one);
  }
  for (const one of made) {
    const { deactivatedAt, deactivatedBy } = one.version;
    if (deactivatedAt === null || deactivatedBy !== ASKER || lates.includes(one)) continue;
    if (!writes.some((write) => isEnd(write) && isInTime(write, deactivatedAt))) lates.push(one);
  }
  return lates;
}

/**
 * A version like the one before, which was late: nobody knew of that one when this was asked for. The look that goes before each
 * repetition found nothing, and what was late came between the two.
 */
export function followsLate(
  { codigo, version }: Made,
  made: readonly Made[],
  lates: readonly Made[],
): boolean {
  const own = made.filter((one) => one.codigo === codigo);
  const before = own[own.findIndex((one) => one.version === version) - 1];
  if (before === undefined || !lates.includes(before)) return false;
  return Date.parse(version.madeAt) - Date.parse(before.version.madeAt) < LATE_MS;
}

const isEnd = ({ operation }: Passage): boolean => operation.startsWith('deactivate');
const isAnswered = ({ answer }: Passage): boolean => answer?.startsWith('HTTP/1.1 2') === true;
/** It made what it says, or it was refused and made nothing. */
const isToldOf = ({ answer }: Passage): boolean => /^HTTP\/1\.1 [24]/.test(answer ?? '');

const says = (write: Passage, codigo: string, versao: string): boolean =>
  isAnswered(write) &&
  !isEnd(write) &&
  new RegExp(`"codigo":"?${codigo}"?[,}]`).test(write.answer ?? '') &&
  write.answer?.includes(`"versao":"${versao}"`) === true;

function isInTime({ since }: Passage, at: string): boolean {
  const done = Date.parse(at);
  return since <= done && done - since < LATE_MS;
}

/** What was made when, and asked when, for a person to judge. */
export function toldOf(made: readonly Made[], writes: readonly Passage[]): string {
  const versions = made.map(
    ({ codigo, version: { versao, madeAt, madeBy } }) => `${codigo}/${versao} em ${madeAt} por ${madeBy}`,
  );
  const asked = writes.map(
    ({ operation, at, answer }) =>
      `${operation} ${new Date(at).toISOString()} ${answer?.slice(9, 12) ?? '-'}`,
  );
  return `${versions.join(', ')}; pedidos ${asked.join(', ')}`;
}
