/** Reads a manifest from outside, which may have any content. */
import { OperatorError } from '../errors.ts';
import { tryParseJson } from '../validation/json.ts';
import { isObject } from '../validation/json-value.ts';
import { type Counts, DATABASE_MEMBER, KEY_MEMBER, type Manifest } from './model.ts';

const COUNTED: readonly (keyof Counts)[] = [
  'products',
  'productVersions',
  'foreignOperators',
  'manufacturerLinks',
  'subscriptions',
  'users',
];

/** Throws an `OperatorError` for a text that is no manifest of ours. */
export function readManifest(text: string): Manifest {
  const members = parsed(text);
  const { createdAt, version, schema, counts, audit, upgrade, sha256 } = members;
  const isValid =
    typeof createdAt === 'string' &&
    !Number.isNaN(Date.parse(createdAt)) &&
    typeof version === 'string' &&
    Number.isSafeInteger(schema) &&
    isObject(counts) &&
    COUNTED.every((name) => Number.isSafeInteger(counts[name])) &&
    (audit === undefined ||
      (isObject(audit) && Number.isSafeInteger(audit['seq']) && isHash(audit['hash']))) &&
    (upgrade === undefined || isUpgrade(upgrade)) &&
    isObject(sha256) &&
    Object.hasOwn(sha256, DATABASE_MEMBER) &&
    Object.entries(sha256).every(([name, hash]) => isOurs(name) && isHash(hash));
  if (!isValid) throw notOurs();
  return members as unknown as Manifest; // as just checked
}

const isUpgrade = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['from'] === 'string' &&
  typeof value['to'] === 'string' &&
  Number.isSafeInteger(value['schema']);

const isHash = (value: unknown): boolean => /^[\da-f]{64}$/.test(String(value));

const isOurs = (name: string): boolean => name === DATABASE_MEMBER || name === KEY_MEMBER;

function parsed(text: string): Readonly<Record<string, unknown>> {
  const value = tryParseJson(text);
  if (isObject(value)) return value;
  throw notOurs();
}

const notOurs = (): OperatorError =>
  new OperatorError('o manifest.json não é o de uma cópia de segurança do catp');
