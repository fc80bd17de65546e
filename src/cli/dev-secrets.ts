/** `catp dev --secrets`: the secrets of the keys when other machines can connect (contract section 13). */
import { USERS } from '../demo/people.ts';
import { UsageError } from '../errors.ts';
import { tryParseJson } from '../validation/json.ts';
import { isObject } from '../validation/json-value.ts';
import { formatValue } from '../validation/format-value.ts';
import type { OwnSecrets } from '../session/authentication.ts';
import { newCredentials } from '../session/secrets.ts';
import { isLoopback } from '../system/loopback.ts';
import { contentOf } from './values.ts';

/** The value that generates all secrets. They are printed once. */
export const GENERATED = '-';

const NAMES: readonly string[] = USERS.map(({ key }) => key);

/**
 * Returns the secrets; `undefined`: the fixed ones. Throws `UsageError`, also when other machines could reach
 * the fixed ones.
 */
export function ownSecrets(file: string | undefined, host: string): OwnSecrets | undefined {
  if (file === undefined) {
    if (isLoopback(host)) return undefined;
    throw new UsageError(
      `host: recebido '${host}', que outras máquinas alcançam; os segredos fixos de catp dev são só para esta. Indique os seus com --secrets <arquivo>, em JSON como {"demo": "…"}, ou --secrets - para que sejam inventados e mostrados uma vez.`,
    );
  }
  if (file === GENERATED) return new Map(NAMES.map((name) => [name, newCredentials().clientSecret]));
  const secrets = read(file);
  const refused = Object.entries(secrets).flatMap(([name, secret]) => faultOf(name, secret));
  if (refused.length > 0) throw new UsageError(`--secrets (${file}): ${refused.join('; ')}.`);
  return new Map(NAMES.map((name) => [name, secrets[name] as string | undefined]));
}

function read(file: string): Readonly<Record<string, unknown>> {
  const text = contentOf('--secrets', file, 'Indique outro, ou - para que sejam inventados.').toString();
  const parsed = tryParseJson(text);
  if (isObject(parsed)) return parsed;
  throw new UsageError(`--secrets: ${file} não é um objeto JSON; aceita {"demo": "segredo", …}.`);
}

/** Returns the faults of one member of the file. The text names the user, never the secret. */
function faultOf(name: string, secret: unknown): readonly string[] {
  if (!NAMES.includes(name)) return [`não há o usuário ${formatValue(name)}; aceita ${NAMES.join(', ')}`];
  if (typeof secret !== 'string' || !VISIBLE.test(secret))
    return [`o segredo de ${name} tem de ser um texto que caiba em um cabeçalho, e não vazio`];
  return NAMES.includes(secret) ? [`o segredo de ${name} é um dos fixos, que todos conhecem`] : [];
}

/** ASCII in one line, without spaces at its ends, which a header would lose. */
const VISIBLE = /^[!-~](?:[ -~]*[!-~])?$/;
