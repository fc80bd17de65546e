/**
 * Finds writes that the remote made more than a minute after the request. No client can prevent them. Only
 * such a write excuses a duplicate.
 */
import { MINUTE_MS } from '../../../src/clock.ts';
import type { Standing } from './catalogue.ts';
import { COMPANY, type Side } from './sides.ts';
import type { Passage } from './recording-proxy.ts';

const LATE_MS = MINUTE_MS;
/** The user whose requests the drill checks. */
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

/** Returns the requests that wrote a record: by its name in the body, or its code in the path. */
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

export interface RecordedVersion {
  readonly codigo: string;
  readonly version: Version;
}

/**
 * Returns the versions of one name that were created, or ended, more than a minute after their request. Each
 * request creates one. An answered request names its version; an unanswered one explains one version that was
 * created within its minute.
 */
export function latesOf(made: readonly RecordedVersion[], writes: readonly Passage[]): RecordedVersion[] {
  const openWrites = new Set(writes);
  const lateVersions: RecordedVersion[] = [];
  const unnamed = made.filter(({ codigo, version }) => {
    if (version.madeBy !== ASKER) return false;
    const write = [...openWrites].find((one) => namesVersion(one, codigo, version.versao));
    return write === undefined || !openWrites.delete(write);
  });
  for (const one of unnamed) {
    const own = [...openWrites].find((write) => isInTime(write, one.version.madeAt) && !isDecided(write));
    if (own === undefined || !openWrites.delete(own)) lateVersions.push(one);
  }
  for (const one of made) {
    const { deactivatedAt, deactivatedBy } = one.version;
    if (deactivatedAt === null || deactivatedBy !== ASKER || lateVersions.includes(one)) continue;
    if (!writes.some((write) => isEnd(write) && isInTime(write, deactivatedAt))) lateVersions.push(one);
  }
  return lateVersions;
}

/**
 * Returns true if a version repeats an earlier late version, which did not exist yet when the client looked
 * for it before the repeated request.
 */
export function followsLate(
  { codigo, version }: RecordedVersion,
  made: readonly RecordedVersion[],
  lates: readonly RecordedVersion[],
): boolean {
  const own = made.filter((one) => one.codigo === codigo);
  const before = own[own.findIndex((one) => one.version === version) - 1];
  if (before === undefined || !lates.includes(before)) return false;
  return Date.parse(version.madeAt) - Date.parse(before.version.madeAt) < LATE_MS;
}

const isEnd = ({ operation }: Passage): boolean => operation.startsWith('deactivate');
const isAnswered = ({ answer }: Passage): boolean => answer?.startsWith('HTTP/1.1 2') === true;
/**
 * Returns true if the request was answered: it created the reported version, or was refused and created no
 * version.
 */
const isDecided = ({ answer }: Passage): boolean => /^HTTP\/1\.1 [24]/.test(answer ?? '');

const namesVersion = (write: Passage, codigo: string, versao: string): boolean =>
  isAnswered(write) &&
  !isEnd(write) &&
  new RegExp(`"codigo":"?${codigo}"?[,}]`).test(write.answer ?? '') &&
  write.answer?.includes(`"versao":"${versao}"`) === true;

function isInTime({ since }: Passage, at: string): boolean {
  const done = Date.parse(at);
  return since <= done && done - since < LATE_MS;
}

/** Formats the times of creations and requests, for a person to judge. */
export function versionsText(made: readonly RecordedVersion[], writes: readonly Passage[]): string {
  const versions = made.map(
    ({ codigo, version: { versao, madeAt, madeBy } }) => `${codigo}/${versao} em ${madeAt} por ${madeBy}`,
  );
  const requests = writes.map(
    ({ operation, at, answer }) =>
      `${operation} ${new Date(at).toISOString()} ${answer?.slice(9, 12) ?? '-'}`,
  );
  return `${versions.join(', ')}; pedidos ${requests.join(', ')}`;
}
